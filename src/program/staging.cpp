#include "program/staging.hpp"

#include <postage/program/scratch_pool.hpp>

namespace postage {
namespace {

template <typename Move>
void for_each_address(Program& program, const Move& move) {
  for_each_operation_list(program, [&](std::vector<LocalOperation>& operations) {
    for (LocalOperation& operation : operations) {
      move(operation.from.at);
      move(operation.to);
    }
  });
  for (Step& step : program.steps) {
    for (auto* messages : {&step.receives, &step.sends}) {
      for (Message& message : *messages) {
        move(message.where.at);
      }
    }
  }
}

}  // namespace

void move_staging_to_scratch(Program& program, ByteRange staging, Bytes pool_bytes, Bytes alignment) {
  const Bytes begin = staging.begin / alignment * alignment;
  const Bytes bytes = ScratchPool::aligned(staging.end - begin, alignment);
  program.scratch_bytes = bytes + pool_bytes;
  for_each_address(program, [&](Address& at) {
    if (at.memory == Memory::kStaging) {
      at = {Memory::kScratch, at.offset - begin};
    } else if (at.memory == Memory::kScratch) {
      at.offset += bytes;
    }
  });
}

}  // namespace postage
