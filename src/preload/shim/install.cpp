// Which function each entry leads to: found once, when the library is loaded.
#include "preload/shim/export.hpp"
#include "preload/shim/library.hpp"

#include <postage/preload/observer.hpp>

#include <dlfcn.h>

#include <cstdlib>
#include <mutex>
#include <string_view>

namespace postage::preload {
namespace {

bool is_switched_off() {
  const char* wanted = std::getenv("POSTAGE_PRELOAD");
  return wanted != nullptr && std::string_view(wanted) == "off";
}

void install(std::span<const Export> exports, bool passes_through, bool observes) {
  for (const Export& entry : exports) {
    *entry.next = dlsym(RTLD_NEXT, entry.name);
    const bool wraps = !passes_through && (observes || entry.interception != Interception::kObserved);
    if (*entry.next != nullptr) {
      *entry.target = wraps ? entry.wrapper : *entry.next;
    }
  }
}

void install_all() {
  const bool passes_through = is_switched_off() || is_foreign_library();
  const bool observes = is_observer_wanted();
  for (const auto exports :
       {control_exports(), collective_exports(), observed_exports(), fortran_exports(), fortran_observed_exports()}) {
    install(exports, passes_through, observes);
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
