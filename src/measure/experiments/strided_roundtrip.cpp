#include "measure/experiment_descriptor.hpp"
#include "measure/pair_task.hpp"

#include <postage/base/error.hpp>
#include <postage/base/strides.hpp>

#include <fmt/format.h>

namespace postage::experiments {
namespace {

constexpr int kStridedRoundtripOrder = 70;
constexpr std::string_view kStandardStrides = "8,64,512";

void check(Bytes run, Bytes stride) {
  if (run < 1 || stride < run) {
    throw UsageError(fmt::format("a stride of {} is less than the {} bytes that lie together in a run", stride, run));
  }
}

PlannedExperiments planned_strided_roundtrip(const CampaignPlan& plan) {
  const Bytes run = plan.sizes_of("--run", kUsualRun).front();
  PlannedExperiments planned;
  for (const Bytes bytes : plan.sizes_of("--strided-sizes")) {
    for (const Bytes stride : plan.sizes_of("--strides", kStandardStrides)) {
      check(run, stride);
      for (const bool by_hand : {false, true}) {
        planned.shapes.push_back({kStridedRoundtripOrder,
                                  planned.shapes.size(),
                                  {.kind = ExperimentKind::kStridedRoundtrip,
                                   .bytes = (bytes + run - 1) / run * run,
                                   .run_bytes = run,
                                   .stride = stride,
                                   .by_hand = by_hand}});
      }
    }
  }
  return planned;
}

StridedLayout layout_of(const Experiment& e) {
  return {e.bytes / e.run_bytes, e.run_bytes, e.stride};
}

class StridedRoundtrip final : public PairTask {
 public:
  StridedRoundtrip(TaskContext& context, const Experiment& experiment)
      : PairTask(context, experiment, layout_of(experiment).extent()),
        layout_(layout_of(experiment)),
        packed_(context.workspace.packed(experiment.by_hand ? experiment.bytes : 0)) {}

 private:
  Seconds sample(int inner) override {
    return timed(inner, [&] {
      send_to(e_.target);
      receive_from(e_.target);
    });
  }

  void serve() override {
    receive_from(e_.source);
    send_to(e_.source);
  }

  void send_to(Rank rank) {
    if (!e_.by_hand) {
      transport_.send_strided(out_, layout_, rank, kDataTag);
      return;
    }
    pack(out_, layout_, packed_);
    transport_.account_for(packing_operations(layout_));
    transport_.send(packed_, rank, kDataTag);
  }

  void receive_from(Rank rank) {
    if (!e_.by_hand) {
      transport_.receive_strided(in_, layout_, rank, kDataTag);
      return;
    }
    transport_.receive(packed_, rank, kDataTag);
    unpack(packed_, layout_, in_);
    transport_.account_for(packing_operations(layout_));
  }

  StridedLayout layout_;
  std::span<std::byte> packed_;
};

}  // namespace

ExperimentDescriptor strided_roundtrip() {
  return {
      .name = "strided-roundtrip",
      .description =
          "A roundtrip with equal replies of messages whose bytes lie apart: runs of `run_bytes`, `stride` "
          "bytes from start to start, packed and unpacked by hand (which is timed too) or by the "
          "transport's datatypes; `bytes` counts what is sent, not the memory between",
      .order = 20,
      .fields = {ExperimentField::kRunBytes, ExperimentField::kStride, ExperimentField::kByHand},
      .options = {{"--strided-sizes", "Roundtrips of messages that lie apart in memory"},
                  {"--strides", "Bytes from run to run of strided messages", kStandardStrides},
                  {"--run", "Bytes of a run of strided messages and buffers", kUsualRun, OptionForm::kOneSize}},
      .plan = planned_strided_roundtrip,
      .make_task = make_part<StridedRoundtrip>,
      .repeats_inside = true,
  };
}

}  // namespace postage::experiments
