#include "predict/traces/goal_tokens.hpp"

#include <postage/base/error.hpp>
#include <postage/predict/traces/goal.hpp>

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <limits>
#include <unordered_map>

namespace postage {
namespace {

/// A rank takes at least "rank 0 {}" of text, so that a short text cannot ask for much memory.
constexpr std::size_t kLeastTextOfARank = 8;
constexpr std::int64_t kMostTag = std::numeric_limits<std::uint32_t>::max();
constexpr std::int64_t kMostProcessors = 1024;
constexpr std::int64_t kMostBytes = std::int64_t{1} << 60;
constexpr double kNanosecond = 1e-9;

bool begins_operation(std::string_view word) {
  return word == "send" || word == "recv" || word == "calc";
}

class GoalReader {
 public:
  explicit GoalReader(std::string_view text) : tokens_(text), size_(text.size()) {}

  Trace read() {
    tokens_.expect("num_ranks");
    const auto most = static_cast<std::int64_t>(std::max<std::size_t>(size_ / kLeastTextOfARank, 1));
    const std::int64_t ranks = tokens_.take_number("num_ranks", kMostTag);
    if (ranks == 0) {
      tokens_.fail("num_ranks must be at least 1");
    }
    if (ranks > most) {
      tokens_.fail(
          fmt::format("num_ranks is {}, but a text of {} bytes describes no more than {}; give every rank its "
                      "'rank N {{ }}'",
                      ranks, size_, most));
    }
    trace_.ranks.resize(static_cast<std::size_t>(ranks));
    std::vector<bool> is_read(trace_.ranks.size());
    while (!tokens_.at_end()) {
      tokens_.expect("rank");
      const auto rank = static_cast<std::size_t>(tokens_.take_number("rank", ranks - 1));
      if (is_read[rank]) {
        tokens_.fail(fmt::format("rank {} is described twice", rank));
      }
      is_read[rank] = true;
      read_rank(rank);
    }
    return std::move(trace_);
  }

 private:
  void read_rank(std::size_t rank) {
    labels_.clear();
    self_ = &trace_.ranks[rank];
    tokens_.expect("{");
    while (!tokens_.take_if("}")) {
      read_statement();
    }
  }

  void read_statement() {
    if (begins_operation(tokens_.word())) {
      read_operation();
      return;
    }
    const std::string_view label = tokens_.take();
    if (tokens_.take_if(":")) {
      if (!labels_.emplace(label, static_cast<std::uint32_t>(self_->operations.size())).second) {
        tokens_.fail(fmt::format("there are two operations of the label {}", label));
      }
      read_operation();
    } else {
      read_dependency(label);
    }
  }

  void read_dependency(std::string_view label) {
    const bool of_start = tokens_.word() == "irequires";
    if (!of_start && tokens_.word() != "requires") {
      tokens_.fail(
          "an operation (LABEL: send, recv or calc), LABEL requires LABEL, LABEL irequires LABEL or '}' is expected");
    }
    tokens_.take();
    const std::uint32_t operation = find(label);
    self_->dependencies.push_back({operation, find(tokens_.take()), of_start});
  }

  std::uint32_t find(std::string_view label) const {
    const auto found = labels_.find(label);
    if (found == labels_.end()) {
      tokens_.fail("requires names a label that no operation above has in this rank");
    }
    return found->second;
  }

  void read_operation() {
    const std::string_view kind = tokens_.take();
    TraceOperation operation;
    if (kind == "calc") {
      operation.seconds = kNanosecond * static_cast<double>(tokens_.take_number("calc", kMostBytes));
    } else if (kind == "send" || kind == "recv") {
      operation.kind = kind == "send" ? TraceKind::kSend : TraceKind::kReceive;
      operation.bytes = tokens_.take_number("the size", kMostBytes, "b");
      tokens_.expect(kind == "send" ? "to" : "from");
      operation.peer =
          static_cast<Rank>(tokens_.take_number("the rank", static_cast<std::int64_t>(trace_.ranks.size()) - 1));
    } else {
      tokens_.fail("an operation is send, recv or calc");
    }
    read_options(operation);
    self_->operations.push_back(operation);
  }

  void read_options(TraceOperation& operation) {
    for (;;) {
      if (tokens_.take_if("tag")) {
        operation.tag = static_cast<std::uint32_t>(tokens_.take_number("tag", kMostTag));
      } else if (tokens_.take_if("cpu")) {
        operation.processor = static_cast<std::uint32_t>(tokens_.take_number("cpu", kMostProcessors - 1));
      } else if (tokens_.take_if("nic")) {
        static_cast<void>(tokens_.take_number("nic", kMostProcessors - 1));
      } else {
        return;
      }
    }
  }

  GoalTokens tokens_;
  std::size_t size_;
  Trace trace_;
  RankTrace* self_ = nullptr;
  std::unordered_map<std::string_view, std::uint32_t> labels_;
};

void write_operation(std::string& text, std::size_t number, const TraceOperation& operation) {
  const auto out = std::back_inserter(text);
  if (operation.kind == TraceKind::kCompute) {
    fmt::format_to(out, "l{}: calc {:.0f}", number + 1, std::round(operation.seconds / kNanosecond));
  } else {
    fmt::format_to(out, "l{}: {} {}b {} {} tag {}", number + 1, operation.kind == TraceKind::kSend ? "send" : "recv",
                   operation.bytes, operation.kind == TraceKind::kSend ? "to" : "from", operation.peer, operation.tag);
  }
  if (operation.processor > 0) {
    fmt::format_to(out, " cpu {}", operation.processor);
  }
  text += '\n';
}

}  // namespace

std::size_t Trace::operations() const {
  std::size_t sum = 0;
  for (const RankTrace& rank : ranks) {
    sum += rank.operations.size();
  }
  return sum;
}

Trace read_goal(std::string_view text) {
  return GoalReader(text).read();
}

std::string goal_text(const Trace& trace) {
  std::string text = fmt::format("num_ranks {}\n", trace.ranks.size());
  for (std::size_t rank = 0; rank < trace.ranks.size(); ++rank) {
    fmt::format_to(std::back_inserter(text), "rank {} {{\n", rank);
    for (std::size_t i = 0; i < trace.ranks[rank].operations.size(); ++i) {
      write_operation(text, i, trace.ranks[rank].operations[i]);
    }
    for (const TraceDependency& d : trace.ranks[rank].dependencies) {
      fmt::format_to(std::back_inserter(text), "l{} {} l{}\n", d.operation + 1, d.of_start ? "irequires" : "requires",
                     d.on + 1);
    }
    text += "}\n";
  }
  return text;
}

}  // namespace postage
