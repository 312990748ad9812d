#include "program/program.hpp"
#include "program/scratch_pool.hpp"

#include <postage/base/error.hpp>
#include <postage/transport/executor.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <new>

namespace postage {
namespace {

/// So many sends may be under way: libraries slow down when they have to look through many.
constexpr std::size_t kMostSends = 256;

constexpr std::align_val_t kAlignment{static_cast<std::size_t>(ScratchPool::kAlignment)};

bool combines(const std::vector<LocalOperation>& operations) {
  return std::any_of(operations.begin(), operations.end(), [](const auto& operation) { return operation.combines; });
}

bool combines(const Program& program) {
  bool any = false;
  for_each_operation_list(program, [&](const auto& operations) { any = any || combines(operations); });
  return any;
}

Program make_program(const Schedule& schedule, Rank rank, const ProgramOptions& options) {
  Program program = lower(schedule, rank, options);
  decide_overlap(program);
  program.reduces = combines(program);
  return program;
}

void check_buffer(const char* name, std::size_t given, Bytes needed) {
  if (given < static_cast<std::size_t>(needed)) {
    throw UsageError(fmt::format("the {} buffer has {} bytes; this rank needs {}", name, given, needed));
  }
}

}  // namespace

/// One run: the program with addresses for its regions.
struct RankProgram::Run {
  RankProgram& self;
  Transport& transport;
  const Reduction& reduction;
  std::array<const std::byte*, 3> readable;  ///< by Memory
  std::array<std::byte*, 3> writable;

  [[nodiscard]] std::span<const std::byte> read(const Region& region) const {
    return {readable[static_cast<std::size_t>(region.at.memory)] + region.at.offset,
            static_cast<std::size_t>(region.bytes)};
  }

  [[nodiscard]] std::span<std::byte> write(const Region& region) const {
    return {writable[static_cast<std::size_t>(region.at.memory)] + region.at.offset,
            static_cast<std::size_t>(region.bytes)};
  }

  void perform(const std::vector<LocalOperation>& operations) const {
    for (const LocalOperation& operation : operations) {
      const auto from = read(operation.from);
      const auto to = write(operation.target());
      if (operation.combines) {
        reduction(from, to);
      } else if (!from.empty()) {
        std::memmove(to.data(), from.data(), from.size());
      }
    }
  }

  void post_receives(const Step& step) const {
    for (const Message& message : step.receives) {
      self.receiving_.push_back(transport.start_receive(write(message.where), message.peer, step.tag));
    }
  }

  void post_sends(const Step& step) const {
    for (const Message& message : step.sends) {
      self.sending_.push_back(transport.start_send(read(message.where), message.peer, step.tag));
    }
    if (self.sending_.size() > kMostSends) {
      wait(self.sending_, self.sending_.size() - kMostSends / 2);
    }
  }

  void wait(std::vector<Transport::Request>& requests) const { wait(requests, requests.size()); }

  void wait(std::vector<Transport::Request>& requests, std::size_t count) const {
    if (count > 0) {
      transport.wait_all(std::span(requests).first(count));
      requests.erase(requests.begin(), requests.begin() + static_cast<std::ptrdiff_t>(count));
    }
  }

  void perform(const Step& step, const Step* next) const {
    if (step.waits_for_earlier_sends) {
      wait(self.sending_);
    }
    if (step.blocks) {
      perform_blocking(step);
      return;
    }
    if (!step.receives_start_early) {
      post_receives(step);
    }
    perform(step.before_sends);
    post_sends(step);
    self.arriving_.swap(self.receiving_);
    if (next != nullptr && next->receives_start_early) {
      post_receives(*next);
    }
    perform(step.meanwhile);
    wait(self.arriving_);
    if (step.waits_for_sends) {
      wait(self.sending_);
    }
    perform(step.after);
  }

  void perform_blocking(const Step& step) const {
    perform(step.before_sends);
    for (const Message& message : step.sends) {
      transport.send(read(message.where), message.peer, step.tag);
    }
    for (const Message& message : step.receives) {
      transport.receive(write(message.where), message.peer, step.tag);
    }
    if (step.waits_for_sends) {
      wait(self.sending_);
    }
    perform(step.after);
  }

  void perform(const Program& program) const {
    perform(program.start);
    const Step* const end = program.steps.data() + program.steps.size();
    for (const Step* step = program.steps.data(); step != end; ++step) {
      perform(*step, step + 1 == end ? nullptr : step + 1);
    }
    if (program.waits_before_finish) {
      wait(self.sending_);
    }
    perform(program.finish);
    wait(self.sending_);
  }
};

void RankProgram::FreeAligned::operator()(std::byte* memory) const {
  ::operator delete[](memory, kAlignment);
}

RankProgram::RankProgram(const Schedule& schedule, Rank rank, const ProgramOptions& options)
    : program_(std::make_unique<const Program>(make_program(schedule, rank, options))),
      scratch_(
          static_cast<std::byte*>(::operator new[](static_cast<std::size_t>(program_->scratch_bytes), kAlignment))) {}

RankProgram::RankProgram(RankProgram&&) noexcept = default;
RankProgram& RankProgram::operator=(RankProgram&&) noexcept = default;
RankProgram::~RankProgram() = default;

void RankProgram::run(Transport& transport, const RankBuffers& buffers, const Reduction& reduction) {
  check_buffer("send", buffers.send.size(), program_->send_bytes);
  check_buffer("receive", buffers.receive.size(), program_->receive_bytes);
  if (program_->reduces && !reduction) {
    throw UsageError("this schedule reduces, but no operation was given to combine with");
  }
  const Run run{.self = *this,
                .transport = transport,
                .reduction = reduction,
                .readable = {buffers.send.data(), buffers.receive.data(), scratch_.get()},
                .writable = {nullptr, buffers.receive.data(), scratch_.get()}};
  run.perform(*program_);
}

Bytes RankProgram::send_bytes() const {
  return program_->send_bytes;
}

Bytes RankProgram::receive_bytes() const {
  return program_->receive_bytes;
}

Bytes RankProgram::scratch_bytes() const {
  return program_->scratch_bytes;
}

}  // namespace postage
