#include <postage/base/library_name.hpp>

#include <gtest/gtest.h>

namespace postage {
namespace {

TEST(LibraryName, IsNameAndVersion) {
  EXPECT_EQ(library_name("Open MPI v4.1.4, package: Debian OpenMPI, ident: 4.1.4"), "Open MPI 4.1.4");
  EXPECT_EQ(library_name("MPICH Version:      4.0.2\nMPICH Release date: Thu Apr 7"), "MPICH 4.0.2");
  EXPECT_EQ(library_name("MPICH Version:\t4.0.2"), "MPICH 4.0.2");
  EXPECT_EQ(library_name("SMPI Version 3.32. Copyright The SimGrid Team 2007-2022"), "SMPI 3.32");
  EXPECT_EQ(library_name("Intel(R) MPI Library 2021.10 for Linux* OS\n"), "Intel(R) MPI Library 2021.10");
}

TEST(LibraryName, LeavesNamesAsTheyAre) {
  for (const char* name : {"Open MPI 4.1.4", "MPICH 4.0.2", "SMPI 3.32", "postage shm", "Some MPI", "x", ""}) {
    EXPECT_EQ(library_name(name), name);
  }
}

}  // namespace
}  // namespace postage
