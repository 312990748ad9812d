// Linked between MPICH's static library and its own algorithms by --wrap: see CMakeLists.txt, which lists them. All
// parameters are integers or pointers, so that twelve words hold any of their arguments.
#include "tuning/prove/programs/trace.hpp"

#include <cstdint>

namespace {

using Word = std::intptr_t;

/// An argument that is an int: the upper half of its word is undefined.
Word number(Word word) {
  return static_cast<std::int32_t>(word);
}

}  // namespace

#define POSTAGE_WRAP(function, segment, fan_out)                                                                     \
  extern "C" Word __real_##function(Word, Word, Word, Word, Word, Word, Word, Word, Word, Word, Word, Word);         \
  extern "C" Word __wrap_##function(Word a0, Word a1, Word a2, Word a3, Word a4, Word a5, Word a6, Word a7, Word a8, \
                                    Word a9, Word a10, Word a11) {                                                   \
    const postage::trace::Call call(#function, number(segment), number(fan_out));                                    \
    return __real_##function(a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11);                                      \
  }

#include "mpich_wraps.inc"
