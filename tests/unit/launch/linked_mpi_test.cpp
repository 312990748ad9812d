#include <postage/launch/linked_mpi.hpp>

#include <gtest/gtest.h>

namespace postage {
namespace {

TEST(LinkedMpi, IsFoundByTheNamesOfLibraries) {
  const auto of = [](const std::string& library) {
    const auto found =
        mpi_among("\tlinux-vdso.so.1 (0x00007ffc)\n\t" + library + " => /usr/lib/" + library + " (0x1)\n");
    return found ? found->flavour : "";
  };
  EXPECT_EQ(of("libmpi.so.40"), "openmpi");
  EXPECT_EQ(of("libmpich.so.12"), "mpich");
  EXPECT_EQ(of("libmpi.so.12"), "mpich") << "the name that MPICH's ABI has elsewhere";
  EXPECT_EQ(of("libmpi_abi.so.1"), "abi");
  EXPECT_EQ(of("libmpi_mpifh.so.40"), "");
  EXPECT_EQ(of("libc.so.6"), "");
}

TEST(LinkedMpi, AWordThatIsNoProgramHasNone) {
  EXPECT_FALSE(find_linked_mpi("-n"));
  EXPECT_FALSE(find_linked_mpi("/no/such/program"));
  EXPECT_FALSE(mpi_of_command({}));
}

}  // namespace
}  // namespace postage
