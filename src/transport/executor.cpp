#include "transport/instructions.hpp"

#include <postage/base/error.hpp>
#include <postage/base/memory_copy.hpp>
#include <postage/program/scratch_pool.hpp>
#include <postage/transport/executor.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <new>
#include <utility>

namespace postage {
namespace {

constexpr std::align_val_t kAlignment{static_cast<std::size_t>(ScratchPool::kAlignment)};

void check_buffer(const char* name, std::size_t given, Bytes needed) {
  if (given < static_cast<std::size_t>(needed)) {
    throw UsageError(fmt::format("the {} buffer has {} bytes; this rank needs {}", name, given, needed));
  }
}

}  // namespace

/// What a run needs to know, beside the instructions' own lines.
struct RankProgram::Code {
  std::vector<Instruction> instructions;
  Bytes send_bytes = 0;
  Bytes receive_bytes = 0;
  Bytes scratch_bytes = 0;
  bool reduces = false;
  Strides strides{};
};

/// One run: the instructions with addresses for what they read and write.
struct RankProgram::Run {
  RankProgram& self;
  Transport& transport;
  const Reduction& reduction;
  std::array<const std::byte*, 3> readable;  ///< by Memory
  std::array<std::byte*, 3> writable;

  const Strides strides{};

  /// In memory, where pieces of strided data lie apart.
  [[nodiscard]] std::span<const std::byte> from(const Instruction& i) const {
    return {readable[static_cast<std::size_t>(i.from_memory)] + strides.offset(i.from),
            static_cast<std::size_t>(strides.extent(i.bytes))};
  }

  [[nodiscard]] std::span<std::byte> to(const Instruction& i) const {
    return {writable[static_cast<std::size_t>(i.to_memory)] + strides.offset(i.to),
            static_cast<std::size_t>(strides.extent(i.bytes))};
  }

  [[nodiscard]] StridedLayout layout(const Instruction& i) const {
    return {i.bytes / strides.run, strides.run, strides.stride};
  }

  void wait(std::vector<Transport::Request>& requests, std::int32_t count) const {
    transport.wait_all(std::span(requests).first(static_cast<std::size_t>(count)));
    requests.erase(requests.begin(), requests.begin() + count);
  }

  void perform(const Instruction& i) const { strides.separates(i.bytes) ? perform_strided(i) : perform_contiguous(i); }

  void await_acknowledgement(const Instruction& i) const {
    if (i.is_acknowledged) {
      self.sending_.push_back(transport.start_receive({}, i.peer, i.tag + kAcknowledgementTags));
    }
  }

  void perform_strided(const Instruction& i) const {
    switch (i.kind) {
      case Instruction::Kind::kSend:
        return transport.send_strided(from(i), layout(i), i.peer, i.tag);
      case Instruction::Kind::kReceive:
        return transport.receive_strided(to(i), layout(i), i.peer, i.tag);
      case Instruction::Kind::kStartSend:
        self.sending_.push_back(transport.start_send_strided(from(i), layout(i), i.peer, i.tag));
        return;
      case Instruction::Kind::kRendezvous:
        self.sending_.push_back(transport.start_send_strided(from(i), layout(i), i.peer, i.tag));
        return await_acknowledgement(i);
      case Instruction::Kind::kStartReceive:
        self.receiving_.push_back(transport.start_receive_strided(to(i), layout(i), i.peer, i.tag));
        return;
      case Instruction::Kind::kCopy:
        return copy_pieces(from(i), to(i), layout(i));
      default:
        perform_contiguous(i);
    }
  }

  void perform_contiguous(const Instruction& i) const {
    switch (i.kind) {
      case Instruction::Kind::kSend:
        return transport.send(from(i), i.peer, i.tag);
      case Instruction::Kind::kReceive:
        return transport.receive(to(i), i.peer, i.tag);
      case Instruction::Kind::kStartSend:
        self.sending_.push_back(transport.start_send(from(i), i.peer, i.tag));
        return;
      case Instruction::Kind::kRendezvous:
        self.sending_.push_back(transport.start_rendezvous(from(i), i.peer, i.tag));
        return await_acknowledgement(i);
      case Instruction::Kind::kAcknowledge:
        self.acknowledging_.push_back(transport.start_send({}, i.peer, i.tag + kAcknowledgementTags));
        return;
      case Instruction::Kind::kStartReceive:
        self.receiving_.push_back(transport.start_receive(to(i), i.peer, i.tag));
        return;
      case Instruction::Kind::kWaitForSends:
        return wait(self.sending_, i.count);
      case Instruction::Kind::kWaitForReceives:
        return wait(self.receiving_, i.count);
      case Instruction::Kind::kCopy:
        move_memory(to(i).data(), from(i).data(), i.bytes);
        return;
      case Instruction::Kind::kCombine:
        return reduction(from(i), to(i));
    }
  }
};

void RankProgram::FreeAligned::operator()(std::byte* memory) const {
  ::operator delete[](memory, kAlignment);
}

std::unique_ptr<const RankProgram::Code> RankProgram::compile(const Schedule& schedule, Rank rank,
                                                              const ProgramOptions& options) {
  Program program = lower(schedule, rank, options);
  decide_overlap(program);
  Code code{.instructions = instructions_of(program),
            .send_bytes = program.send_bytes,
            .receive_bytes = program.receive_bytes,
            .scratch_bytes = program.scratch_bytes};
  code.strides = options.strides;
  code.reduces = std::any_of(code.instructions.begin(), code.instructions.end(), [](const Instruction& instruction) {
    return instruction.kind == Instruction::Kind::kCombine;
  });
  return std::make_unique<const Code>(std::move(code));
}

RankProgram::RankProgram(const Schedule& schedule, Rank rank, const ProgramOptions& options)
    : code_(compile(schedule, rank, options)),
      scratch_(static_cast<std::byte*>(::operator new[](static_cast<std::size_t>(scratch_bytes()), kAlignment))) {}

RankProgram::RankProgram(RankProgram&&) noexcept = default;
RankProgram& RankProgram::operator=(RankProgram&&) noexcept = default;
RankProgram::~RankProgram() = default;

void RankProgram::run(Transport& transport, const RankBuffers& buffers, const Reduction& reduction) {
  check_buffer("send", buffers.send.size(), send_bytes());
  check_buffer("receive", buffers.receive.size(), receive_bytes());
  if (code_->reduces && !reduction) {
    throw UsageError("this schedule reduces, but no operation was given to combine with");
  }
  if (!buffers.scratch.empty()) {
    check_buffer("scratch", buffers.scratch.size(), scratch_bytes());
  }
  std::byte* const scratch = buffers.scratch.empty() ? scratch_.get() : buffers.scratch.data();
  const Run run{.self = *this,
                .transport = transport,
                .reduction = reduction,
                .readable = {buffers.send.data(), buffers.receive.data(), scratch},
                .writable = {nullptr, buffers.receive.data(), scratch},
                .strides = code_->strides};
  // A run that failed may have left some.
  receiving_.clear();
  sending_.clear();
  acknowledging_.clear();
  for (const Instruction& instruction : code_->instructions) {
    run.perform(instruction);
  }
  if (!acknowledging_.empty()) {
    transport.wait_all(acknowledging_);
  }
}

Bytes RankProgram::send_bytes() const {
  return code_->strides.extent(code_->send_bytes);
}

Bytes RankProgram::receive_bytes() const {
  return code_->strides.extent(code_->receive_bytes);
}

Bytes RankProgram::scratch_bytes() const {
  return code_->strides.extent(code_->scratch_bytes);
}

}  // namespace postage
