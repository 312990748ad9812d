#include "report/network/host_svg.hpp"

#include <postage/base/units.hpp>
#include <postage/report/network_view.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace postage {
namespace {

constexpr double kMargin = 24;
constexpr double kTitleHeight = 44;
constexpr double kCharacter = 6.7;  ///< of text 12 high
constexpr double kLine = 17;
constexpr double kPadding = 10;
constexpr double kBetweenCards = 28;
constexpr double kBetweenRows = 54;
constexpr double kStack = 5;  ///< cards behind a card that stands for several
constexpr std::size_t kMostCards = 9;
constexpr std::size_t kLongestLine = 44;

std::string svg_text(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    safe += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
  }
  return safe;
}

std::string shortened(const std::string& text) {
  return text.size() <= kLongestLine ? text : text.substr(0, kLongestLine - 3) + "...";
}

/// A box with the room that it and what is below it take.
struct Card {
  std::vector<std::string> lines;
  double bandwidth = 0;
  bool is_stack = false;
  bool is_host = false;
  double width = 0;
  double height = 0;
  double span = 0;  ///< of all that is below it, or its own width
  std::vector<Card> below;
};

double span_of(const std::vector<Card>& cards) {
  double span = cards.empty() ? 0 : -kBetweenCards;
  for (const Card& card : cards) {
    span += card.span + kBetweenCards;
  }
  return span;
}

void measure_card(Card& card) {
  std::size_t longest = 8;
  for (const std::string& line : card.lines) {
    longest = std::max(longest, line.size());
  }
  card.width = kCharacter * static_cast<double>(longest) + 2 * kPadding;
  card.height = kLine * static_cast<double>(card.lines.size()) + 2 * kPadding - 4;
  card.span = std::max(card.width + (card.is_stack ? 2 * kStack : 0), span_of(card.below));
}

Card card_of(const NetworkBox& box);

/// Of many kinds the last ones are summed up.
std::vector<Card> cards_of(const std::vector<NetworkBox>& boxes) {
  std::vector<Card> cards;
  const std::size_t shown = boxes.size() > kMostCards ? kMostCards - 1 : boxes.size();
  for (std::size_t i = 0; i < shown; ++i) {
    cards.push_back(card_of(boxes[i]));
  }
  if (shown < boxes.size()) {
    std::size_t more = 0;
    for (std::size_t i = shown; i < boxes.size(); ++i) {
      more += boxes[i].count;
    }
    cards.push_back({.lines = {fmt::format("{} more {}s", more, boxes[shown].kind),
                               fmt::format("of {} kinds", boxes.size() - shown)},
                     .is_stack = true});
    measure_card(cards.back());
  }
  return cards;
}

Card card_of(const NetworkBox& box) {
  Card card{.lines = {describe(box)}, .bandwidth = box.bandwidth, .is_stack = box.count > 1};
  card.is_host = box.kind == "host";
  if (const std::string names = names_of(box); !names.empty()) {
    card.lines.push_back(shortened(names));
  }
  card.lines.insert(card.lines.end(), box.facts.begin(), box.facts.end());
  if (card.is_host) {
    card.lines.push_back(shortened(inside_of(box)));
  } else {
    card.below = cards_of(box.parts);
  }
  measure_card(card);
  return card;
}

class NetworkSvg {
 public:
  explicit NetworkSvg(const NetworkView& view) : view_(view) {}

  std::string render() {
    if (is_one_host()) {
      add(draw_host(view_.parts.front(), kMargin, kTitleHeight));
    } else {
      draw_cards();
    }
    if (view_.torus) {
      add(draw_torus(view_.torus->lengths, kMargin, bottom_ + kLine));
    }
    draw_levels();
    right_ = std::max(right_, kMargin + 9 * static_cast<double>(view_.title.size()));
    const double width = std::ceil(right_ + kMargin);
    const double height = std::ceil(bottom_ + kMargin);
    return fmt::format(
               "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
               "font-family=\"system-ui, sans-serif\" role=\"img\"><title>{2}</title>"
               "<rect width=\"{0}\" height=\"{1}\" fill=\"white\" class=\"paper\"/>\n"
               "<text x=\"{3}\" y=\"26\" font-size=\"16\" font-weight=\"600\" fill=\"#222\" class=\"ink "
               "title\">{2}</text>\n",
               width, height, svg_text(view_.title), kMargin) +
           lines_ + cards_ + "</svg>\n";
  }

 private:
  [[nodiscard]] bool is_one_host() const {
    return view_.parts.size() == 1 && view_.parts.front().kind == "host" && view_.parts.front().count == 1;
  }

  void draw_cards() {
    Card core{.lines = {view_.core}};
    core.lines.insert(core.lines.end(), view_.facts.begin(), view_.facts.end());
    core.below = cards_of(view_.parts);
    measure_card(core);
    draw(core, kMargin, kTitleHeight + kStack);
  }

  void add(const PlacedDrawing& drawing) {
    cards_ += drawing.svg;
    right_ = std::max(right_, drawing.right);
    bottom_ = std::max(bottom_, drawing.bottom);
  }

  /// The card in the middle of its span, what is below it side by side, a line down to each.
  double draw(const Card& card, double left, double top) {
    const double middle = left + card.span / 2;
    draw_card(card, middle - card.width / 2, top);
    const double row = top + card.height + kBetweenRows;
    double at = left + (card.span - span_of(card.below)) / 2;
    for (const Card& below : card.below) {
      const double to = draw(below, at, row);
      const double thickness = below.bandwidth > 0 ? std::clamp(std::log10(below.bandwidth) - 6, 1.0, 6.0) : 1.0;
      lines_ += fmt::format(
          "<path d=\"M{:.1f} {:.1f} C{:.1f} {:.1f} {:.1f} {:.1f} {:.1f} {:.1f}\" class=\"wire\" stroke=\"#777\" "
          "stroke-width=\"{:.1f}\" "
          "fill=\"none\"/>\n",
          middle, top + card.height, middle, row - 16, to, top + card.height + 16, to, row, thickness);
      at += below.span + kBetweenCards;
    }
    return middle;
  }

  void draw_card(const Card& card, double x, double y) {
    const char* look = card.is_host ? "fill=\"#e7f1f8\" class=\"host\"" : "fill=\"#fdf0e1\" class=\"group\"";
    for (int i = card.is_stack ? 2 : 0; i >= 0; --i) {
      cards_ += fmt::format(
          "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" rx=\"5\" {} stroke=\"#555\"/>\n",
          x + i * kStack, y - i * kStack, card.width, card.height, look);
    }
    for (std::size_t i = 0; i < card.lines.size(); ++i) {
      cards_ += fmt::format(
          "<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"12\" text-anchor=\"middle\" fill=\"#222\" "
          "class=\"ink\"{}>{}</text>\n",
          x + card.width / 2, y + kPadding + 9 + kLine * static_cast<double>(i), i == 0 ? " font-weight=\"600\"" : "",
          svg_text(card.lines[i]));
    }
    right_ = std::max(right_, x + card.width + 2 * kStack);
    bottom_ = std::max(bottom_, y + card.height);
  }

  void draw_levels() {
    for (const LevelTime& level : view_.levels) {
      bottom_ += level.between == view_.levels.front().between ? 2 * kLine : kLine;
      std::string line = fmt::format("{}: {} for {} B", level.between, format_seconds(level.latency.value),
                                     format_bytes(level.smallest));
      line += level.rate
                  ? fmt::format(", {} up to {} bytes", format_rate(level.rate->value), format_bytes(level.largest))
                  : "";
      line += fmt::format(" ({} pair{})", level.pairs, level.pairs == 1 ? "" : "s");
      cards_ += fmt::format("<text x=\"{}\" y=\"{:.1f}\" font-size=\"12\" fill=\"#222\" class=\"ink\">{}</text>\n",
                            kMargin, bottom_, svg_text(line));
      right_ = std::max(right_, kMargin + kCharacter * static_cast<double>(line.size()));
    }
  }

  const NetworkView& view_;
  std::string lines_;
  std::string cards_;
  double right_ = 0;
  double bottom_ = 0;
};

}  // namespace

std::string network_svg(const NetworkView& view) {
  return NetworkSvg(view).render();
}

}  // namespace postage
