# Language level, warnings and sanitizers, in one place for every target.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

option(POSTAGE_WARNINGS_AS_ERRORS "Treat compiler warnings as errors" ON)
option(POSTAGE_BUILD_BENCH "Build the benchmarks in bench/" OFF)
set(POSTAGE_SANITIZE "" CACHE STRING "Sanitizers, as given to -fsanitize=")
set(POSTAGE_LEFT_OUT_CHECKS "" CACHE STRING "Checks of these sanitizers that are left out, as given to -fno-sanitize=")
set(POSTAGE_MPI_FLAVOURS "openmpi;mpich;smpi" CACHE STRING
    "MPI flavours to build for, among openmpi, mpich and smpi; only those found are built")
set(MPICXX "" CACHE STRING "A further MPI compiler wrapper to build the measuring programs with")

add_library(postage_options INTERFACE)
target_compile_options(postage_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor -Wold-style-cast -Wcast-align
  -Woverloaded-virtual $<$<CXX_COMPILER_ID:GNU>:-Wduplicated-cond -Wlogical-op>
  # Every member has a default, so an initialiser that names some of them is complete.
  -Wno-missing-field-initializers
  $<$<BOOL:${POSTAGE_WARNINGS_AS_ERRORS}>:-Werror>
  # SMPI loads each measuring program as a shared object, once per rank; precompiled headers need the same for all.
  -fPIC
  # Unique symbols would be shared between SMPI's ranks, which live in one process.
  $<$<CXX_COMPILER_ID:GNU>:-fno-gnu-unique>
  # GCC collects its garbage from 128 MB on; not doing so below a gigabyte saves 7 to 14 % of a compilation.
  $<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=1000000>)

# Programs that hold a whole library are linked in a fifth of the time by mold, where it is installed.
option(POSTAGE_MOLD "Link with mold if it is there" ON)
if(POSTAGE_MOLD)
  include(CheckLinkerFlag)
  check_linker_flag(CXX -fuse-ld=mold LINKS_WITH_MOLD)
  if(LINKS_WITH_MOLD)
    target_link_options(postage_options INTERFACE -fuse-ld=mold)
  endif()
endif()

if(POSTAGE_SANITIZE)
  target_compile_options(postage_options INTERFACE -fsanitize=${POSTAGE_SANITIZE} -fno-omit-frame-pointer
                         -fno-sanitize-recover=all)
  if(POSTAGE_LEFT_OUT_CHECKS)
    target_compile_options(postage_options INTERFACE -fno-sanitize=${POSTAGE_LEFT_OUT_CHECKS})
  endif()
  target_link_options(postage_options INTERFACE -fsanitize=${POSTAGE_SANITIZE})
  # GCC 12 takes what an empty std::optional holds for used where ThreadSanitizer's calls stand between; other builds look.
  if(POSTAGE_SANITIZE STREQUAL thread)
    target_compile_options(postage_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  endif()
endif()
