#include <postage/base/error.hpp>
#include <postage/report/space_time.hpp>
#include <postage/schedule/algorithms.hpp>

#include <fmt/format.h>

#include <array>
#include <map>
#include <vector>

namespace postage {
namespace {

constexpr Rank kMostRanks = 64;
constexpr Index kMostMessages = 4096;
constexpr int kLeft = 70;
constexpr int kTop = 64;
constexpr int kRow = 30;
constexpr int kColumn = 120;
/// Distinguishable also without full colour vision (Okabe and Ito's palette).
constexpr std::array<const char*, 5> kColours{"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00"};

struct Column {
  RoundPosition position;
  std::vector<Transfer> transfers;
};

std::vector<Column> columns_of(const Schedule& schedule) {
  std::vector<Column> columns;
  for_each_transfer(schedule, [&](const RoundPosition& position, const Transfer& transfer) {
    if (columns.empty() || !(columns.back().position == position)) {
      columns.push_back({position, {}});
    }
    columns.back().transfers.push_back(transfer);
  });
  return columns;
}

int y_of(Rank rank) {
  return kTop + 20 + rank * kRow;
}

class Drawing {
 public:
  Drawing(const Schedule& schedule, const ChannelNamer& channel_of)
      : schedule_(schedule), channel_of_(channel_of), columns_(columns_of(schedule)) {}

  std::string render() {
    const int width = kLeft + static_cast<int>(std::max<std::size_t>(columns_.size(), 2)) * kColumn + 40;
    const int height = y_of(schedule_.ranks) + 30;
    std::string body = rank_lines(width) + rounds();
    return fmt::format(
               "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
               "font-family=\"system-ui, sans-serif\" role=\"img\"><title>{2}</title>"
               "<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n{3}"
               "<text x=\"{4}\" y=\"24\" font-size=\"16\" font-weight=\"600\" fill=\"#222\">{2}</text>\n",
               width, height, title(), markers(), kLeft - 54) +
           body + legend(height) + "</svg>\n";
  }

 private:
  [[nodiscard]] std::string title() const {
    return fmt::format("{} {}, P = {}, {} bytes", name_of(schedule_.collective), schedule_.algorithm, schedule_.ranks,
                       schedule_.layout.total());
  }

  static std::string markers() {
    std::string all = "<defs>";
    for (std::size_t i = 0; i < kColours.size(); ++i) {
      all += fmt::format(
          "<marker id=\"a{}\" viewBox=\"0 0 8 8\" refX=\"7.5\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" "
          "orient=\"auto\"><path d=\"M0 0L8 4L0 8z\" fill=\"{}\"/></marker>",
          i, kColours[i]);
    }
    return all + "</defs>\n";
  }

  [[nodiscard]] std::string rank_lines(int width) const {
    std::string lines;
    for (Rank rank = 0; rank < schedule_.ranks; ++rank) {
      lines += fmt::format(
          "<text x=\"{}\" y=\"{}\" font-size=\"12\" text-anchor=\"end\" fill=\"#444\">{}</text>"
          "<line x1=\"{}\" x2=\"{}\" y1=\"{}\" y2=\"{}\" stroke=\"#ccc\"/>\n",
          kLeft - 10, y_of(rank) + 4,
          has_root(schedule_.collective) && rank == schedule_.root ? fmt::format("root {}", rank)
                                                                   : std::to_string(rank),
          kLeft, width - 20, y_of(rank), y_of(rank));
    }
    return lines;
  }

  std::string rounds() {
    std::string all;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const int x = kLeft + static_cast<int>(i) * kColumn;
      const Index segments = schedule_.stages[columns_[i].position.stage].segments;
      all += fmt::format(
          "<text x=\"{}\" y=\"{}\" font-size=\"11\" text-anchor=\"middle\" fill=\"#666\">round {}{}</text>\n",
          x + kColumn / 2, kTop, i, segments > 1 ? fmt::format(", segment {}", columns_[i].position.segment) : "");
      all += arrows(columns_[i], x);
    }
    return all;
  }

  std::string arrows(const Column& column, int x) {
    std::string all;
    const auto count = static_cast<int>(column.transfers.size());
    for (int i = 0; i < count; ++i) {
      const Transfer& t = column.transfers[static_cast<std::size_t>(i)];
      const std::size_t colour = colour_of(channel_of_(t.source, t.target));
      // Arrows of a round start next to one another, so that crossing ones can be followed.
      const int shift = 8 + (count > 1 ? i * (kColumn / 3) / count : 0);
      const int from = x + shift;
      const int to = from + kColumn / 2;
      all += fmt::format(
          "<path class=\"message\" d=\"M{} {}L{} {}\" stroke=\"{}\" stroke-width=\"1.6\" fill=\"none\" "
          "marker-end=\"url(#a{})\"><title>{} to {}, {} bytes</title></path>\n",
          from, y_of(t.source), to, y_of(t.target), kColours[colour], colour, t.source, t.target, t.bytes);
      if (schedule_.ranks <= 16 && t.bytes > 0 && count <= 8) {
        all += fmt::format(
            "<text x=\"{}\" y=\"{}\" font-size=\"10\" fill=\"#333\" stroke=\"white\" stroke-width=\"3\" "
            "paint-order=\"stroke\">{}</text>\n",
            to + 3, y_of(t.target) - 3, format_bytes(t.bytes));
      }
    }
    return all;
  }

  std::size_t colour_of(const std::string& channel) {
    const auto known = colours_.find(channel);
    if (known != colours_.end()) {
      return known->second;
    }
    // The network looks the same in every drawing; what is inside a node shares the other colours.
    constexpr std::array<std::size_t, 4> inside{0, 2, 3, 4};
    const std::size_t colour = channel == "inter-node" ? 1 : inside[insides_++ % inside.size()];
    return colours_.emplace(channel, colour).first->second;
  }

  [[nodiscard]] std::string legend(int height) const {
    std::string all;
    int x = kLeft;
    for (const auto& [channel, colour] : colours_) {
      if (!channel.empty()) {
        all += fmt::format(
            "<line x1=\"{}\" x2=\"{}\" y1=\"{}\" y2=\"{}\" stroke=\"{}\" stroke-width=\"3\"/>"
            "<text x=\"{}\" y=\"{}\" font-size=\"12\" fill=\"#333\">{}</text>\n",
            x, x + 24, height - 16, height - 16, kColours[colour], x + 30, height - 12, channel);
        x += 150;
      }
    }
    return all;
  }

  const Schedule& schedule_;
  const ChannelNamer& channel_of_;
  std::vector<Column> columns_;
  std::map<std::string, std::size_t> colours_;
  std::size_t insides_ = 0;
};

}  // namespace

std::string draw_space_time(const Schedule& schedule, const ChannelNamer& channel_of) {
  const Traffic traffic = traffic_of(schedule);
  if (schedule.ranks > kMostRanks || traffic.messages > kMostMessages) {
    throw Error(fmt::format("{} ranks with {} messages cannot be told apart in a drawing; it takes at most {} and {}",
                            schedule.ranks, traffic.messages, kMostRanks, kMostMessages));
  }
  return Drawing(schedule, channel_of).render();
}

}  // namespace postage
