#include "papers/tu/test_bed.hpp"

#include <postage/base/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace postage::tu_paper {
namespace {

std::vector<std::string> experiments() {
  return {
      "--sizes", "1K,4K,16K", "--overhead-sizes", "1K,4K,16K", "--strided-sizes", "1K,4K,16K", "--strides", "8,64,512",
      "--run",   "4",         "--train-sizes",    "none",      "--control-sizes", "none",      "--budget",  "8s"};
}

/// The median time of the experiment at this size and, where it is strided by a datatype, this stride.
Seconds time_of(const SampleSet& samples, const ExperimentKind& kind, Bytes bytes, Bytes stride = 0) {
  for (const Measurement& m : samples.measurements) {
    const Experiment& e = m.experiment;
    const bool is_empty_reply = e.kind == ExperimentKind::kRoundtrip && e.reply_bytes != e.bytes;
    if (e.kind == kind && e.bytes == bytes && e.stride == stride && !e.by_hand && !is_empty_reply) {
      return m.summary.median;
    }
  }
  throw Error(fmt::format("no {} of {} bytes was measured", kind.name(), bytes));
}

Seconds latency_of(const SampleSet& samples, Bytes bytes, Bytes stride) {
  const Seconds strided = time_of(samples, ExperimentKind::kStridedRoundtrip, bytes, stride);
  return std::max((strided - time_of(samples, ExperimentKind::kRoundtrip, bytes)) / 2, 0.0);
}

/// Of a network, o'_mw = o_s + o_r; within a node all of the message is middleware.
MiddlewareTimes times_in(const SampleSet& samples, bool is_network) {
  MiddlewareTimes times;
  for (const Bytes bytes : kSizes) {
    times.overhead[bytes] = is_network ? time_of(samples, ExperimentKind::kSendOverhead, bytes) +
                                             time_of(samples, ExperimentKind::kDelayedReceive, bytes)
                                       : time_of(samples, ExperimentKind::kRoundtrip, bytes) / 2;
    for (const Bytes stride : kStrides) {
      times.latency[bytes][stride] = latency_of(samples, bytes, stride);
    }
  }
  return times;
}

Json to_json(const MiddlewareTimes& times) {
  Json list = Json::array();
  for (const Bytes bytes : kSizes) {
    list.push_back(times.overhead.at(bytes));
    for (const Bytes stride : kStrides) {
      list.push_back(times.latency.at(bytes).at(stride));
    }
  }
  return list;
}

MiddlewareTimes times_from(const Json& list) {
  MiddlewareTimes times;
  std::size_t i = 0;
  for (const Bytes bytes : kSizes) {
    times.overhead[bytes] = list[i++].number();
    for (const Bytes stride : kStrides) {
      times.latency[bytes][stride] = list[i++].number();
    }
  }
  return times;
}

Json measure(PaperContext& context) {
  context.tell("measuring the middleware over shared memory and over TCP");
  const SampleSet node = context.measure({.mpi = "openmpi", .ranks = 2}, experiments());
  const SampleSet network =
      context.measure({.mpi = "openmpi",
                       .ranks = 2,
                       .launcher_options = {"--mca", "btl", "tcp,self", "--mca", "btl_tcp_if_include", "lo"}},
                      experiments());
  return {{"node", to_json(times_in(node, false))}, {"network", to_json(times_in(network, true))}};
}

}  // namespace

std::string name_of_point(Bytes bytes, Bytes stride) {
  return fmt::format("{}{}S", format_bytes(bytes), stride);
}

std::string names_of_points() {
  std::vector<std::string> names;
  for (const Bytes bytes : kSizes) {
    for (const Bytes stride : kStrides) {
      names.push_back(fmt::format("{}: {}", names.size() + 1, name_of_point(bytes, stride)));
    }
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

Middleware2 measured_middleware(PaperContext& context) {
  const Json& times = context.once("tu-middleware", [&] { return measure(context); });
  return {times_from(times["node"]), times_from(times["network"])};
}

}  // namespace postage::tu_paper
