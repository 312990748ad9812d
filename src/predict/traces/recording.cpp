#include <postage/base/error.hpp>
#include <postage/predict/traces/recording.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <limits>

namespace postage {
namespace {

constexpr std::string_view kHeading = "postage recording 1\n";
constexpr std::int64_t kMostRecordedBytes = std::int64_t{1} << 60;
constexpr double kRecordedTick = 1e-9;

/// The words of one line, one after the other.
class RecordedLine {
 public:
  RecordedLine(std::string_view text, int number) : text_(text), number_(number) {}

  [[nodiscard]] bool at_end() const { return text_.empty(); }

  std::string_view word() {
    const std::size_t end = std::min(text_.find(' '), text_.size());
    const std::string_view word = text_.substr(0, end);
    text_.remove_prefix(std::min(end + 1, text_.size()));
    return word;
  }

  template <typename Number>
  Number number(Number least, Number most) {
    const std::string_view digits = word();
    Number value{};
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (digits.empty() || error != std::errc() || end != digits.data() + digits.size() || value < least ||
        value > most) {
      fail(fmt::format("a whole number from {} to {} is expected", least, most));
    }
    return value;
  }

  [[noreturn]] void fail(const std::string& what) const { throw Error(fmt::format("line {}: {}", number_, what)); }

 private:
  std::string_view text_;
  int number_;
};

class RecordingReader {
 public:
  Recording read(std::string_view text) {
    most_ranks_ = static_cast<Rank>(std::min<std::size_t>(text.size(), std::numeric_limits<Rank>::max()));
    int number = 0;
    for (; !text.empty(); ++number) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      if (number > 0 && end > 0) {
        read_line(RecordedLine(text.substr(0, end), number + 1));
      }
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    if (recording_.ranks.empty()) {
      throw Error(fmt::format("line {}: 'ranks' and their number are missing", number + 1));
    }
    return std::move(recording_);
  }

 private:
  void read_line(RecordedLine line) {
    const std::string_view what = line.word();
    if (what == "ranks" && recording_.ranks.empty()) {
      recording_.ranks.resize(static_cast<std::size_t>(line.number<Rank>(1, most_ranks_)));
    } else if (what == "rank") {
      self_ = &recording_.ranks[static_cast<std::size_t>(line.number<Rank>(0, last_rank(line)))];
    } else if (self_ == nullptr) {
      line.fail("'ranks' and 'rank' come before calls");
    } else if (what == "g") {
      read_group(line);
    } else {
      self_->calls.push_back(read_call(what, line));
    }
  }

  [[nodiscard]] Rank last_rank(const RecordedLine& line) const {
    if (recording_.ranks.empty()) {
      line.fail("'ranks' and their number come first");
    }
    return static_cast<Rank>(recording_.ranks.size()) - 1;
  }

  void read_group(RecordedLine& line) {
    std::vector<Rank> members;
    while (!line.at_end()) {
      members.push_back(line.number<Rank>(0, last_rank(line)));
    }
    if (members.empty()) {
      line.fail("a communicator without ranks");
    }
    self_->groups.push_back(std::move(members));
  }

  RecordedCall read_call(std::string_view what, RecordedLine& line) const {
    using Kind = RecordedCall::Kind;
    if (what == "t") {
      return {.kind = Kind::kCompute,
              .seconds = kRecordedTick * static_cast<double>(line.number<std::int64_t>(0, kMostRecordedBytes))};
    }
    if (what == "c") {
      return read_collective(line);
    }
    if (what == "w") {
      RecordedCall call{.kind = Kind::kWait};
      while (!line.at_end()) {
        call.requests.push_back(line.number<std::uint64_t>(0, std::numeric_limits<std::uint64_t>::max()));
      }
      return call;
    }
    const std::string_view kinds = "sSrR";
    const std::size_t kind = what.size() == 1 ? kinds.find(what.front()) : std::string_view::npos;
    if (kind == std::string_view::npos) {
      line.fail("a call is t, s, S, r, R, w, g or c");
    }
    return read_message(static_cast<Kind>(static_cast<std::size_t>(Kind::kSend) + kind), line);
  }

  RecordedCall read_message(RecordedCall::Kind kind, RecordedLine& line) const {
    const bool may_be_any = kind == RecordedCall::Kind::kStartReceive;
    RecordedCall call{.kind = kind};
    call.peer = line.number<Rank>(may_be_any ? -1 : 0, last_rank(line));
    call.tag = line.number<std::int32_t>(-1, std::numeric_limits<std::int32_t>::max());
    call.bytes = line.number<Bytes>(0, kMostRecordedBytes);
    call.requests = {line.number<std::uint64_t>(0, std::numeric_limits<std::uint64_t>::max())};
    return call;
  }

  RecordedCall read_collective(RecordedLine& line) const {
    RecordedCall call{.kind = RecordedCall::Kind::kCollective, .name = std::string(line.word())};
    std::transform(call.name.begin(), call.name.end(), call.name.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (self_->groups.empty()) {
      line.fail("a collective before its communicator");
    }
    call.group = line.number<std::size_t>(0, self_->groups.size() - 1);
    call.peer = line.number<Rank>(-1, last_rank(line));
    call.bytes = line.number<Bytes>(0, kMostRecordedBytes);
    call.received_bytes = line.number<Bytes>(0, kMostRecordedBytes);
    while (!line.at_end()) {
      call.bytes_by_rank.push_back(line.number<Bytes>(0, kMostRecordedBytes));
    }
    return call;
  }

  Recording recording_;
  RecordedRank* self_ = nullptr;
  Rank most_ranks_ = 0;
};

}  // namespace

bool is_recording(std::string_view text) {
  return text.substr(0, kHeading.size()) == kHeading;
}

Recording read_recording(std::string_view text) {
  if (!is_recording(text)) {
    throw Error("line 1: 'postage recording 1' is expected");
  }
  return RecordingReader().read(text);
}

}  // namespace postage
