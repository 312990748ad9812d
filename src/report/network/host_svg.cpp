#include "report/network/host_svg.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace postage {
namespace {

constexpr double kCore = 26;
constexpr double kSpace = 8;  ///< between boxes, and around them inside another
constexpr double kLabelHeight = 20;
constexpr double kLabelCharacter = 6.7;
constexpr std::size_t kMostDrawn = 8;  ///< boxes that are alike
constexpr std::size_t kMostCores = 64;
constexpr std::size_t kCoresInARow = 8;

/// A box as it is drawn: its own part of the drawing moves with `transform`.
struct Nest {
  std::string svg;
  double width = 0;
  double height = 0;
};

Nest core_nest(std::size_t count) {
  Nest nest;
  const std::size_t shown = std::min(count, kMostCores);
  for (std::size_t i = 0; i < shown; ++i) {
    const double x = (kCore + kSpace) * static_cast<double>(i % kCoresInARow);
    const double y = (kCore + kSpace) * static_cast<double>(i / kCoresInARow);
    nest.svg += fmt::format(
        "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{}\" height=\"{}\" rx=\"3\" fill=\"#fff\" class=\"core\" "
        "stroke=\"#555\"/>\n",
        x, y, kCore, kCore);
    nest.width = std::max(nest.width, x + kCore);
    nest.height = std::max(nest.height, y + kCore);
  }
  return nest;
}

Nest row_of(const std::vector<NetworkBox>& parts);

Nest framed_nest(const std::string& label, const std::vector<NetworkBox>& parts) {
  const Nest inside = row_of(parts);
  Nest nest;
  nest.width = std::max(inside.width, kLabelCharacter * static_cast<double>(label.size())) + 2 * kSpace;
  nest.height = inside.height + kLabelHeight + 2 * kSpace;
  nest.svg = fmt::format(
      "<rect width=\"{:.1f}\" height=\"{:.1f}\" rx=\"6\" fill=\"#e7f1f8\" class=\"host\" stroke=\"#555\"/>\n"
      "<text x=\"{}\" y=\"{}\" font-size=\"12\" fill=\"#222\" class=\"ink\">{}</text>\n"
      "<g transform=\"translate({},{})\">{}</g>\n",
      nest.width, nest.height, kSpace, kSpace + 11, label, kSpace, kLabelHeight + kSpace, inside.svg);
  return nest;
}

/// "shared cache", or "16 sockets alike, one drawn".
std::string label_of(const NetworkBox& part, std::size_t drawn) {
  return drawn < part.count ? fmt::format("{} {}s alike, one drawn", part.count, part.kind) : part.kind;
}

Nest row_of(const std::vector<NetworkBox>& parts) {
  Nest row;
  const auto add = [&](const Nest& nest) {
    const double x = row.width > 0 ? row.width + kSpace : 0;
    row.svg += fmt::format("<g transform=\"translate({:.1f},0)\">{}</g>\n", x, nest.svg);
    row.width = x + nest.width;
    row.height = std::max(row.height, nest.height);
  };
  for (const NetworkBox& part : parts) {
    if (part.kind == "core") {
      add(core_nest(part.count));
      continue;
    }
    const std::size_t drawn = part.count <= kMostDrawn ? part.count : 1;
    for (std::size_t i = 0; i < drawn; ++i) {
      add(framed_nest(label_of(part, drawn), part.parts));
    }
  }
  return row;
}

}  // namespace

PlacedDrawing draw_host(const NetworkBox& host, double left, double top) {
  const Nest nest = framed_nest(inside_of(host), host.parts);
  return {fmt::format("<g transform=\"translate({:.1f},{:.1f})\">{}</g>\n", left, top, nest.svg), left + nest.width,
          top + nest.height};
}

}  // namespace postage
