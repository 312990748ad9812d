#include "measure/experiment_descriptor.hpp"
#include "measure/pair_task.hpp"
#include "unit/measure/virtual_machine.hpp"

#include <postage/base/error.hpp>
#include <postage/base/json.hpp>
#include <postage/measure/campaign.hpp>

#include <gtest/gtest.h>

namespace postage {
namespace {

/// A new kind is one file like this one in src/measure/experiments/: two messages there and one back.
class Toy final : public PairTask {
 public:
  using PairTask::PairTask;

 private:
  Seconds sample(int inner) override {
    return timed(inner, [&] {
      transport_.send(message(), e_.target, kDataTag);
      transport_.send(message(), e_.target, kDataTag);
      transport_.receive({}, e_.target, kReplyTag);
    });
  }

  void serve() override {
    transport_.receive(received(), e_.source, kDataTag);
    transport_.receive(received(), e_.source, kDataTag);
    transport_.send({}, e_.source, kReplyTag);
  }
};

ExperimentDescriptor toy(std::string_view name, int order) {
  return {.name = name,
          .description = "Two messages to the target and an empty reply: time at the source",
          .order = order,
          .fields = {ExperimentField::kMessages},
          .options = {{"--toy-sizes", "Two messages there and an empty one back"}},
          .plan = [](const CampaignPlan& plan) -> PlannedExperiments {
            return {at_each(100, {.kind = ExperimentKind("toy"), .messages = 2}, plan.sizes_of("--toy-sizes"))};
          },
          .make_task = make_part<Toy>};
}

void register_toy() {
  static const bool done = [] {
    register_experiment(toy("toy", 1000));
    return true;
  }();
  static_cast<void>(done);
}

TEST(ToyExperiment, IsPlannedMeasuredWrittenAndRead) {
  register_toy();
  VirtualMachine machine;
  machine.ranks = 3;
  SampleSet samples;
  run_ranks(machine, [&](Transport& transport) {
    SampleSet own = run_campaign(transport, {.sizes = {{"--sizes", {64}}, {"--toy-sizes", {64, 1000}}}}, {});
    if (transport.rank() == 0) {
      samples = std::move(own);
    }
  });
  const SampleSet read = samples_from_json(Json::parse(to_json(samples).dump()), "toy.json");
  int toys = 0;
  for (const Measurement& m : read.measurements) {
    if (m.experiment.kind.name() == "toy") {
      ++toys;
      EXPECT_EQ(m.experiment.messages, 2);
      const double second = machine.gap + static_cast<double>(m.experiment.bytes) * machine.per_byte;
      EXPECT_NEAR(m.summary.median, machine.roundtrip(m.experiment.bytes, 0) + second, 1e-15);
    }
  }
  EXPECT_EQ(toys, 6) << "three pairs, two sizes";
  EXPECT_EQ(read.measurements.size(), 9U);
}

TEST(ToyExperiment, AddsItsOption) {
  register_toy();
  EXPECT_EQ(find_plan_option("--toy-sizes").help, "Two messages there and an empty one back");
  EXPECT_THROW(static_cast<void>(find_plan_option("--no-sizes")), UsageError);
}

TEST(ToyExperiment, MustHaveANameAndAnOrderOfItsOwnAndFitItsStage) {
  EXPECT_THROW(register_experiment(toy("roundtrip", 1001)), Error);
  EXPECT_THROW(register_experiment(toy("another", 10)), Error);
  ExperimentDescriptor group = toy("group", 1002);
  group.participants = Participants::kMembers;
  EXPECT_THROW(register_experiment(group), Error);
}

TEST(Experiments, AllSayWhatTheyAre) {
  for (const ExperimentDescriptor* experiment : known_experiments()) {
    EXPECT_FALSE(experiment->description.empty()) << experiment->name;
    EXPECT_TRUE(experiment->plan && experiment->make_task) << experiment->name;
    EXPECT_EQ(experiment->participants == Participants::kMembers, static_cast<bool>(experiment->groups))
        << experiment->name;
  }
}

}  // namespace
}  // namespace postage
