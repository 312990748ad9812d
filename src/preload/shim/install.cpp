// Which function each entry leads to: found once, when the library is loaded.
#include "preload/settings/agreement.hpp"
#include "preload/shim/export.hpp"
#include "preload/shim/library.hpp"

#include <postage/preload/observer.hpp>

#include <dlfcn.h>

#include <mutex>

namespace postage::preload {
namespace {

/// Of those kinds of calls that are intercepted.
struct Wrapped {
  bool control = false;
  bool collectives = false;
  bool observed = false;

  [[nodiscard]] bool contain(Interception interception) const {
    return interception == Interception::kControl      ? control
           : interception == Interception::kCollective ? collectives
                                                       : observed;
  }
};

/// A rank that is to replace nothing tells the others so, in MPI_Init.
Wrapped wrapped_calls() {
  const bool passes_through = settings().replacing == Replacing::kNothing;
  return is_foreign_library() ? Wrapped{} : Wrapped{true, !passes_through, !passes_through && is_observer_wanted()};
}

void install(std::span<const Export> exports, const Wrapped& wrapped) {
  for (const Export& entry : exports) {
    *entry.next = dlsym(RTLD_NEXT, entry.name);
    if (*entry.next != nullptr) {
      *entry.target = wrapped.contain(entry.interception) ? entry.wrapper : *entry.next;
    }
  }
}

void install_all() {
  const Wrapped wrapped = wrapped_calls();
  for (const auto exports :
       {control_exports(), collective_exports(), observed_exports(), fortran_exports(), fortran_observed_exports()}) {
    install(exports, wrapped);
  }
}

[[gnu::constructor]] void install_when_loaded() {
  install_entries();
}

}  // namespace

void install_entries() {
  static std::once_flag once;
  std::call_once(once, install_all);
}

}  // namespace postage::preload
