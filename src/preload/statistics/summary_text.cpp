#include "preload/statistics/summary.hpp"

#include <fmt/format.h>

#include <iterator>
#include <utility>

namespace postage::preload {
namespace {

std::string short_name(Entry entry) {
  return std::string(name_of(entry)).substr(4);
}

std::string time_text(Seconds seconds) {
  constexpr double kRoundedUp = 0.9995;  // to 1, with three digits
  const double size = seconds < 0 ? -seconds : seconds;
  if (size >= kRoundedUp) {
    return fmt::format("{:.3g} s", seconds);
  }
  return size >= 1e-3 * kRoundedUp ? fmt::format("{:.3g} ms", 1e3 * seconds) : fmt::format("{:.3g} us", 1e6 * seconds);
}

std::string per_call(const CallTotals& totals) {
  return totals.calls == 0 ? "" : time_text(totals.seconds / static_cast<double>(totals.calls));
}

std::string median_text(const std::optional<TypicalTime>& time) {
  return time ? time_text(time->median) : "";
}

std::string gained_text(const std::optional<Gain>& gain, double ranks) {
  if (!gain) {
    return "";
  }
  return gain->is_certain() ? time_text(gain->all() / ranks) : "in noise";
}

std::string percent(double part, double whole) {
  return whole > 0 ? fmt::format("{:.0f} %", 100 * part / whole) : "";
}

std::string algorithms_text(const SizeSummary& size) {
  std::string text;
  for (const auto& [name, calls] : size.algorithms) {
    text += (text.empty() ? "" : ", ") + name;
  }
  return text;
}

class Table {
 public:
  template <typename... Columns>
  void row(const char* format, const Columns&... columns) {
    text_ += "postage: ";
    fmt::format_to(std::back_inserter(text_), fmt::runtime(format), columns...);
    while (!text_.empty() && text_.back() == ' ') {
      text_.pop_back();
    }
    text_ += '\n';
  }
  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

void add_calls(Table& table, const Summary& summary) {
  constexpr const char* kRow = "{:<21}{:>11}{:>10}{:>10}{:>12}{:>12}{:>12}{:>11}  {}";
  table.row(kRow, "call", "bytes", "calls", "replaced", "time/call", "postage's", "library's", "gained", "by");
  for (const CallSummary& call : summary.calls) {
    std::string name = short_name(call.entry);
    for (const SizeSummary& size : call.sizes) {
      const bool is_replaced = size.replaced.calls > 0;
      CallTotals both = size.own;
      both.add(size.replaced);
      const std::uint64_t calls = both.calls;
      table.row(kRow, std::exchange(name, ""), size.size.text(), calls,
                is_blocking_collective(call.entry) ? percent(double(size.replaced.calls), double(calls)) : "",
                per_call(both), is_replaced ? median_text(size.replaced_time()) : "",
                is_replaced ? median_text(size.own_time()) : "", gained_text(size.gained(), summary.ranks),
                algorithms_text(size));
    }
  }
}

void add_sizes(Table& table, const char* label, const MessageSizes& sizes) {
  const auto shares = sizes_of_table_1(sizes);
  double all = 0;
  for (const SizeShare& share : shares) {
    all += static_cast<double>(share.messages);
  }
  if (all > 0) {
    table.row("{:<21}{:>11}{:>10}{:>10}{:>12}{:>12}", label, percent(double(shares[0].messages), all),
              percent(double(shares[1].messages), all), percent(double(shares[2].messages), all),
              percent(double(shares[3].messages), all), fmt::format("{:.0f}", all));
  }
}

MessageSizes sum_of(MessageSizes a, const MessageSizes& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    a[i].messages += b[i].messages;
  }
  return a;
}

/// Of all ranks, in calls of which the library's own were timed too.
std::optional<Gain> gained_by(const Summary& summary) {
  std::optional<Gain> sum;
  for (const CallSummary& call : summary.calls) {
    for (const SizeSummary& size : call.sizes) {
      if (const auto gained = size.gained()) {
        sum = sum.value_or(Gain{});
        sum->add(*gained);
      }
    }
  }
  return sum;
}

std::string gained_sentence(const Summary& summary) {
  const auto gained = gained_by(summary);
  if (!gained) {
    return "what that gained is not known: too few of the library's own were timed";
  }
  const double ranks = summary.ranks;
  const Interval all = gained->interval();
  const std::string interval = fmt::format("{} to {}", time_text(all.lower / ranks), time_text(all.upper / ranks));
  if (!gained->is_certain()) {
    return fmt::format("no gain beyond noise ({} a rank at 95 %), where the library's own were timed too", interval);
  }
  return fmt::format("gained {} a rank ({} at 95 %), {} of it by probes, where the library's own were timed too",
                     time_text(gained->all() / ranks), interval, time_text(gained->probes() / ranks));
}

void add_heading(Table& table, const Summary& s) {
  table.row("{} ranks, {} node{}, {}; {} from MPI_Init to MPI_Finalize, {} ({}) in MPI, from {} to {} by rank", s.ranks,
            s.nodes, s.nodes == 1 ? "" : "s", s.library, time_text(s.program), time_text(s.communication),
            percent(s.communication, s.program), time_text(s.least_communication), time_text(s.most_communication));
  std::uint64_t collectives = 0;
  std::uint64_t replaced = 0;
  for (const CallSummary& call : s.calls) {
    collectives += is_blocking_collective(call.entry) ? call.total().calls : 0;
    replaced += call.replaced();
  }
  table.row("{} of {} blocking collectives replaced{}", replaced, collectives,
            replaced > 0 ? "; " + gained_sentence(s) : "");
  if (s.more_ranks_than_cores) {
    table.row(
        "a node has more ranks than hardware threads to run on, so that collectives pass through; "
        "POSTAGE_PRELOAD=always replaces them all the same");
  }
}

}  // namespace

std::string table_of(const Summary& summary) {
  Table table;
  add_heading(table, summary);
  add_calls(table, summary);
  table.row("{:<21}{:>11}{:>10}{:>10}{:>12}{:>12}", "messages by size", "< 1K", "1K-32K", "32K-1M", "> 1M", "messages");
  add_sizes(table, "point-to-point", summary.point_to_point);
  add_sizes(table, "of collectives", summary.collective);
  add_sizes(table, "all", sum_of(summary.point_to_point, summary.collective));
  return table.take();
}

}  // namespace postage::preload
