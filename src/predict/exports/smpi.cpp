#include "predict/exports/pieces.hpp"

#include <postage/base/error.hpp>
#include <postage/predict/exports.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace postage {
namespace {

/// SMPI adds so many bytes to a message before it looks for its factor, and takes those of thresholds below that.
constexpr Bytes kHeader = 15;
constexpr Seconds kLeastLatency = 1e-9;
constexpr double kLeastPerByte = 1e-15;

/// Times over those of the first piece, by size.
struct Factors {
  std::vector<MessagePiece> latency_and_per_byte;

  [[nodiscard]] std::string text(const auto& member) const {
    std::string list;
    for (const MessagePiece& piece : latency_and_per_byte) {
      list += fmt::format("{}{}:{}", list.empty() ? "" : ";", piece.from_bytes == 0 ? 0 : piece.from_bytes + kHeader,
                          member(piece));
    }
    return list;
  }
};

/// Of a link: a message takes latency * latency factor + bytes * per_byte * per-byte factor.
struct Link {
  Seconds latency = 0;
  double per_byte = 0;
};

Link link_of(const MessagePiece& piece) {
  return {std::max(piece.latency, kLeastLatency), std::max(piece.per_byte, kLeastPerByte)};
}

Factors factors_of(const std::vector<MessagePiece>& pieces) {
  const Link first = link_of(pieces.front());
  Factors factors;
  for (const MessagePiece& piece : pieces) {
    const Link link = link_of(piece);
    factors.latency_and_per_byte.push_back(
        {piece.from_bytes, link.latency / first.latency, link.per_byte / first.per_byte});
  }
  return factors;
}

Seconds time_with(const Link& link, const Factors& factors, Bytes bytes) {
  const MessagePiece& factor = piece_of(factors.latency_and_per_byte, bytes);
  return link.latency * factor.latency + link.per_byte * factor.per_byte * static_cast<double>(bytes);
}

/// Geometric mean of what `of` gives at the sizes from `least` to `most`.
double mean_over(Bytes least, Bytes most, const auto& of) {
  double sum = 0;
  int count = 0;
  for (const Bytes bytes : compared_sizes()) {
    if (bytes >= least && bytes <= most) {
      sum += std::log(of(bytes));
      ++count;
    }
  }
  return std::exp(sum / count);
}

/// The link that comes closest to the pieces with the factors of others: its latency by small messages, its bandwidth
/// by large ones.
Link closest_link(const std::vector<MessagePiece>& pieces, const Factors& factors) {
  const auto factor = [&](Bytes bytes) -> const MessagePiece& { return piece_of(factors.latency_and_per_byte, bytes); };
  Link link;
  link.latency = mean_over(1, 1024, [&](Bytes bytes) { return time_of(pieces, bytes) / factor(bytes).latency; });
  link.per_byte = mean_over(Bytes{256} << 10, Bytes{4} << 20, [&](Bytes bytes) {
    const double rest = time_of(pieces, bytes) - link.latency * factor(bytes).latency;
    return std::max(rest / static_cast<double>(bytes) / factor(bytes).per_byte, kLeastPerByte);
  });
  return link;
}

/// "shared-cache: within 12 % of the platform's times (at 8K)".
std::string how_close(const std::string& channel, const std::vector<MessagePiece>& pieces, const Link& link,
                      const Factors& factors) {
  const auto [worst, where] = largest_error(pieces, [&](Bytes bytes) { return time_with(link, factors, bytes); });
  return fmt::format("{}: within {:.1f} % of the platform's times of a message alone (the farthest at {})", channel,
                     100 * worst, format_bytes(where));
}

std::string link_attributes(const char* bandwidth, const char* latency, const Link& link, double share) {
  return fmt::format(" {}=\"{}Bps\" {}=\"{}s\"", bandwidth, 1 / link.per_byte, latency, link.latency * share);
}

std::string config(const Factors& factors) {
  std::string text = "  <config>\n";
  const auto add = [&](const char* name, const std::string& value) {
    text += fmt::format("    <prop id=\"{}\" value=\"{}\"/>\n", name, value);
  };
  add("network/model", "SMPI");
  add("network/TCP-gamma", "0");
  add("network/crosstraffic", "0");
  add("network/weight-S", "0");
  add("smpi/lat-factor", factors.text([](const MessagePiece& piece) { return piece.latency; }));
  add("smpi/bw-factor", factors.text([](const MessagePiece& piece) { return 1 / piece.per_byte; }));
  return text + "  </config>\n";
}

/// The farthest level inside a node; empty where the platform has none.
std::string channel_inside(const Platform& platform) {
  std::string farthest;
  for (const std::string& channel : platform.channels) {
    farthest = channel == kSharedCache || channel == kIntraSocket || channel == kInterSocket ? channel : farthest;
  }
  return farthest;
}

}  // namespace

SmpiExport smpi_export(const Platform& platform, const ExportedJob& job) {
  const std::string network = network_channel(platform);
  if (job.nodes > 1 && network != kInterNode) {
    throw Error(fmt::format("platform {} has no {} channel: export one node of it", platform.name, kInterNode));
  }
  const std::vector<MessagePiece> pieces = hockney_pieces(platform, network);
  const Factors factors = factors_of(pieces);
  const Link link = link_of(pieces.front());
  SmpiExport result;
  result.remarks.push_back(how_close(network, pieces, link, factors));
  add_pair_remark(platform, network, result.remarks);
  Link inside = link;
  if (const std::string channel = channel_inside(platform); job.per_node > 1 && channel != network) {
    if (channel.empty()) {
      throw Error(
          fmt::format("platform {} says nothing of messages inside a node: export one rank a node", platform.name));
    }
    const std::vector<MessagePiece> own = hockney_pieces(platform, channel);
    inside = closest_link(own, factors);
    result.remarks.push_back(how_close(channel, own, inside, factors));
    add_pair_remark(platform, channel, result.remarks);
  }
  // A route between two hosts has a link of each.
  result.platform = fmt::format(
      "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
      "<platform version=\"4.1\">\n{}  <cluster id=\"cluster\" prefix=\"node\" suffix=\"\" radical=\"0-{}\" "
      "speed=\"1Gf\" core=\"{}\"{}{} sharing_policy=\"SPLITDUPLEX\"/>\n</platform>\n",
      config(factors), job.nodes - 1, job.per_node, link_attributes("bw", "lat", link, 0.5),
      link_attributes("loopback_bw", "loopback_lat", inside, 1));
  for (int node = 0; node < job.nodes; ++node) {
    result.hosts += fmt::format("node{}:{}\n", node, job.per_node);
  }
  return result;
}

}  // namespace postage
