#pragma once

#include <cstdint>

// Between what sees a library's algorithms run and the program that calls collectives. extern "C", since a preloaded
// library and a program linked to another MPI both provide them.
extern "C" {

/// Forgets what was seen.
void postage_trace_reset();

/// What this process saw since: "NAME SEGMENT FAN-OUT DEPTH;" for each algorithm that began, in that order. Valid until
/// the next reset.
const char* postage_trace_text();
}

namespace postage::trace {

/// Notes an algorithm, and its nesting while it lives.
class Call {
 public:
  Call(const char* name, std::intptr_t segment, std::intptr_t fan_out);
  ~Call();
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;
};

}  // namespace postage::trace
