#pragma once

#include "blade/hardware/session.hpp"

namespace postage::blade {

/// Two blades; SimGrid simulates one platform in a process.
inline Machine& simulated_machine() {
  static Machine machine(2);
  return machine;
}

/// How long each SPE of `getters` takes for a get of so many bytes from the SPE beside it, all at once.
struct Get {
  int getter = 0;
  int owner = 0;
  Bytes bytes = 0;
};

inline std::vector<Cycles> times_of(const std::vector<Get>& gets) {
  Session session(simulated_machine(), CellHardware::kSpesOfBlade);
  for (const Get& get : gets) {
    session.run_on(get.getter,
                   [&session, get] { session.spe(get.getter).get_and_wait(session.spe(get.owner), get.bytes); });
  }
  return session.run();
}

}  // namespace postage::blade
