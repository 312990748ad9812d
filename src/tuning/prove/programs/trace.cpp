#include "tuning/prove/programs/trace.hpp"

#include <string>

namespace postage::trace {
namespace {

// A library is traced from the thread that calls it; the others' calls would only mix with them.
thread_local int depth = 0;
thread_local std::string seen;

}  // namespace

Call::Call(const char* name, std::intptr_t segment, std::intptr_t fan_out) {
  seen += std::string(name) + " " + std::to_string(segment) + " " + std::to_string(fan_out) + " " +
          std::to_string(depth) + ";";
  ++depth;
}

Call::~Call() {
  --depth;
}

}  // namespace postage::trace

extern "C" {

void postage_trace_reset() {
  postage::trace::seen.clear();
}

const char* postage_trace_text() {
  return postage::trace::seen.c_str();
}
}
