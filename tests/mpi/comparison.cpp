#include "mpi/calls.hpp"

#include <fmt/format.h>

namespace postage {

std::string describe(const Comparison& comparison, int ranks) {
  std::string parameters;
  for (const auto& [name, value] : comparison.parameters) {
    parameters += fmt::format(", {} {}", name, value);
  }
  return fmt::format("{} {}: {} ranks, {} of {}{}, {}, root {}{}, segments of {}{}",
                     name_of(comparison.algorithm->collective), comparison.algorithm->name, ranks, comparison.count,
                     comparison.type->name, comparison.uneven ? " uneven" : "", comparison.op->name, comparison.root,
                     comparison.in_place ? ", in place" : "", comparison.segment_bytes, parameters);
}

std::string compare(MpiCollectives& collectives, const Comparison& comparison) {
  CaseBuffers buffers(comparison);
  const Buffer given = buffers.send;
  const Buffer before = buffers.receive;
  Buffer theirs = before;
  call_library(comparison, buffers, theirs);
  std::string mistake;
  for (int repeat = 0; repeat < 2; ++repeat) {
    buffers.receive = before;
    call_postage(comparison, collectives, buffers);
    mistake = mistake.empty() ? buffers.find_mistake(before, theirs) : mistake;
    if (mistake.empty() && buffers.send != given) {
      mistake = "the send buffer changed";
    }
  }
  return mistake;
}

}  // namespace postage
