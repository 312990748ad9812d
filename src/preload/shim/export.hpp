#pragma once

#include <span>

namespace postage::preload {

/// When calls of an entry come to the library's own function rather than straight to the next one.
enum class Interception { kControl, kCollective, kObserved };

/// An entry that the library exports: a jump to `*target`, which is `wrapper`, or `*next` where it passes through, so
/// that this costs one jump and holds whatever the arguments are.
struct Export {
  const char* name;
  void** target;
  void* wrapper;
  void** next;
  Interception interception;
};

[[nodiscard]] std::span<const Export> control_exports();
[[nodiscard]] std::span<const Export> collective_exports();
[[nodiscard]] std::span<const Export> observed_exports();
[[nodiscard]] std::span<const Export> fortran_exports();
[[nodiscard]] std::span<const Export> fortran_observed_exports();

/// Of a Fortran call: `error` may be absent.
inline void store(int* error, int result) {
  if (error != nullptr) {
    *error = result;
  }
}

/// Decides what the entries do, once: when the library is loaded, or before the first call that comes earlier.
void install_entries();

}  // namespace postage::preload

#if defined(__x86_64__)
#define POSTAGE_JUMP(TARGET) "endbr64\n\tjmp *" TARGET "(%rip)\n"
#elif defined(__aarch64__)
#define POSTAGE_JUMP(TARGET) "adrp x16, " TARGET "\n\tldr x16, [x16, :lo12:" TARGET "]\n\tbr x16\n"
#else
#error "the preload library knows the jumps of x86-64 and AArch64 only"
#endif

/// Defines the exported symbol NAME, given as text, as a jump to *TARGET.
#define POSTAGE_TRAMPOLINE(NAME, TARGET)                                                        \
  asm(".pushsection .text\n\t.p2align 4\n\t.globl " NAME "\n\t.type " NAME ", %function\n" NAME \
      ":\n\t" POSTAGE_JUMP(TARGET) "\t.size " NAME ", . - " NAME "\n\t.popsection")

/// A further name of NAME.
#define POSTAGE_ALIAS(ALIAS, NAME) asm(".globl " ALIAS "\n\t.set " ALIAS ", " NAME)

/// The pair of pointers behind an entry, and its exported symbol. The wrapper is declared before.
#define POSTAGE_EXPORT(NAME)                                                                                          \
  extern "C" {                                                                                                        \
  __attribute__((visibility("hidden"), used)) void* postage_target_##NAME = reinterpret_cast<void*>(&postage_##NAME); \
  __attribute__((visibility("hidden"))) void* postage_next_##NAME = nullptr;                                          \
  }                                                                                                                   \
  POSTAGE_TRAMPOLINE(#NAME, "postage_target_" #NAME);

#define POSTAGE_EXPORT_ROW(NAME, INTERCEPTION) \
  {#NAME, &postage_target_##NAME, reinterpret_cast<void*>(&postage_##NAME), &postage_next_##NAME, INTERCEPTION},

/// What the wrapper of NAME forwards to, with the wrapper's own type.
#define POSTAGE_NEXT(NAME) \
  (reinterpret_cast<decltype(&postage_##NAME)>(::postage::preload::loaded(postage_next_##NAME)))

namespace postage::preload {

/// A call may come before the library's own constructor has run.
inline void* loaded(void* const& next) {
  if (next == nullptr) {
    install_entries();
  }
  return next;
}

}  // namespace postage::preload
