#include "measure/campaign/sampling_slot.hpp"

#include "measure/campaign/repetition.hpp"
#include "measure/machine/link_speed.hpp"
#include "measure/machine/processor_speed.hpp"
#include "measure/messages.hpp"

#include <postage/base/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace postage {
namespace {

/// Sizes that one curve may have.
constexpr std::size_t kMostSizes = 64;
/// Messages larger than some of this size are left out where these take so long, each time that they are sent, and more
/// than so many experiments' share of the budget. Smaller ones, or fewer repetitions, would tell of a busy processor.
constexpr Bytes kLongMessage = 16 << 10;
constexpr Seconds kLongTime = 50e-3;
constexpr double kMostShares = 8;

/// What the leader tells before each batch: which of the stage's shapes, in which size. A negative index ends the slot.
struct Order {
  std::int32_t index = -1;
  Batch batch;
  Bytes bytes = 0;
  Seconds delay = 0;
};

Bytes bytes_of(const Experiment& shape) {
  return shape.bytes * shape.messages + shape.reply_bytes;
}

/// True where the group's ranks are on one host, whose state the messages of the first two tell; not in simulations.
bool has_link(const TaskContext& context, const RankGroup& group) {
  const auto is_beside = [&](Rank rank) {
    return context.hosts[static_cast<std::size_t>(rank)] == context.hosts[static_cast<std::size_t>(group.front())];
  };
  return !context.transport.is_virtual() && !context.hosts.empty() && group.size() > 1 &&
         std::all_of(group.begin(), group.end(), is_beside);
}

/// Leads one sampling slot.
class Leader {
 public:
  Leader(TaskContext& context, const CampaignStage& stage, SeriesStore& store, const SlotLimits& limits)
      : context_(context),
        stage_(stage),
        store_(store),
        limits_(limits),
        begin_(context.transport.now()),
        end_(begin_ + limits.share),
        left_(stage.shapes.size()) {
    for (std::size_t i = 0; i < stage.curves.size(); ++i) {
      left_ += stage.curves[i].shapes.size() * sizes_of(i).size();
    }
  }

  void run() {
    std::int32_t index = 0;
    for (const Experiment& shape : stage_.shapes) {
      make(index++, shape);
    }
    for (std::size_t i = 0; i < stage_.curves.size(); ++i) {
      run_curve(i, index);
      index += static_cast<std::int32_t>(stage_.curves[i].shapes.size());
    }
    tell({});
  }

 private:
  /// The sizes of a curve: those that the stage has until further ones are found.
  std::vector<Bytes>& sizes_of(std::size_t curve) {
    store_.curve_sizes.resize(stage_.curves.size());
    std::vector<Bytes>& sizes = store_.curve_sizes[curve];
    if (sizes.empty()) {
      sizes = stage_.curves[curve].sizes;
    }
    return sizes;
  }

  void run_curve(std::size_t number, std::int32_t first_index) {
    const Curve& curve = stage_.curves[number];
    std::vector<Bytes>& sizes = sizes_of(number);
    // Steps show when their intervals have become short enough, and their sizes are made for others, too.
    const bool refines =
        curve.rule == Refine::kWhereItSteps || !store_.series.contains(at_size(curve.shapes.front(), sizes.front()));
    // All sizes in one pass first: shapes of one size then stand beside one another in time.
    for (const Bytes bytes : std::vector<Bytes>(sizes)) {
      make_size(curve, first_index, bytes);
    }
    const bool ends_in_time = curve.rule == Refine::kWhereItSteps;
    while (refines && sizes.size() < kMostSizes && !stopped() &&
           (!ends_in_time || context_.transport.now() < limits_.end)) {
      const std::optional<Bytes> next = missing_size(curve, sizes);
      if (!next) {
        return;
      }
      sizes.insert(std::upper_bound(sizes.begin(), sizes.end(), *next), *next);
      left_ += curve.shapes.size();
      make_size(curve, first_index, *next);
    }
  }

  void make_size(const Curve& curve, std::int32_t first_index, Bytes bytes) {
    for (std::size_t i = 0; i < curve.shapes.size(); ++i) {
      make(first_index + static_cast<std::int32_t>(i), at_size(curve.shapes[i], bytes));
    }
  }

  /// The first size that one of the curve's shapes asks for.
  std::optional<Bytes> missing_size(const Curve& curve, const std::vector<Bytes>& sizes) const {
    for (const Experiment& shape : curve.shapes) {
      std::vector<SizedTime> points;
      for (const Bytes bytes : sizes) {
        const auto series = store_.series.find(at_size(shape, bytes));
        if (series == store_.series.end() || series->second.count() == 0) {
          return std::nullopt;  // stopped before it was made
        }
        const Interval interval = series->second.interval(limits_.settings);
        const Seconds time = curve.rule == Refine::kWhereItLeaps ? series->second.mean() : series->second.time();
        points.push_back({bytes, time, (interval.upper - interval.lower) / 2});
      }
      if (const auto next = next_size(points, curve.rule)) {
        return next;
      }
    }
    return std::nullopt;
  }

  /// One experiment, in one pass.
  void make(std::int32_t index, const Experiment& shape) {
    if (stopped() || !made_.insert(shape).second) {
      return;
    }
    const double left = static_cast<double>(left_);
    left_ = std::max<std::size_t>(left_, 2) - 1;
    if (is_left_out(shape)) {
      store_.left_out.insert(shape);
      return;
    }
    Series& series = series_of(shape);
    const Seconds start = context_.transport.now();
    if (series.is_new() || start + 2 * series.cost() <= limits_.end) {
      sample(index, shape, series, left);
    }
  }

  Series& series_of(const Experiment& shape) {
    Series& series = store_.series.try_emplace(shape, with_participants(shape, store_.group)).first->second;
    if (series.experiment().delay < 0) {
      series.set_delay(delay_for(series.experiment()));
    }
    return series;
  }

  /// With the time of one of `left` experiments.
  void sample(std::int32_t index, const Experiment& shape, Series& series, double left) {
    const ExperimentDescriptor& descriptor = find_experiment(shape.kind);
    const auto task = descriptor.make_task(context_, series.experiment());
    Repetition repetition(context_.transport, limits_.settings, series, [&](Batch batch) {
      tell({index, batch, shape.bytes, series.experiment().delay});
      BatchTimes times = task->lead(batch);
      times.processors = processor_time();
      times.link = link_time();
      return times;
    });
    const Seconds start = context_.transport.now();
    const Seconds share = std::max(end_ - start, 0.0) / left;
    const bool is_new = series.is_new();
    series.begin_pass(limits_.pass);
    // What a simulator does does not change with time: the first repetition of each batch is warm-up enough.
    if (is_new && !context_.transport.is_virtual()) {
      repetition.warm_up(share, descriptor.repeats_inside);
    }
    repetition.repeat(share);
    if (is_new && context_.transport.now() - start > allowed_for(start, left) && can_be_too_long(descriptor, shape)) {
      repetition.complete_to_tell();
      if (series.fastest() > kLongTime) {
        store_.most_bytes.try_emplace(shape.kind, bytes_of(shape));
      }
    }
  }

  /// True for what takes too long for the budget, and where the message with an empty reply does.
  [[nodiscard]] bool is_left_out(const Experiment& shape) const {
    const auto most = store_.most_bytes.find(shape.kind);
    const bool is_longer = most != store_.most_bytes.end() && bytes_of(shape) > most->second;
    return (is_longer && !store_.series.contains(shape)) || store_.left_out.contains(empty_reply(shape.bytes));
  }

  /// What the first pass of an experiment may take if larger ones of its kind are to be made, `left` of all.
  [[nodiscard]] Seconds allowed_for(Seconds start, double left) const {
    const Seconds time = std::max(begin_ + limits_.in_one_pass - start, 0.0);
    return std::max(time * std::min(kMostShares / left, 1.0), kLongTime);
  }

  /// In simulations nobody waits.
  [[nodiscard]] bool can_be_too_long(const ExperimentDescriptor& descriptor, const Experiment& shape) const {
    return bytes_of(shape) >= kLongMessage && descriptor.may_be_left_out && !context_.transport.is_virtual() &&
           has_longer(shape);
  }

  /// True where the stage has experiments of the kind with more bytes.
  [[nodiscard]] bool has_longer(const Experiment& shape) const {
    const auto is_longer = [&](const Experiment& other, Bytes bytes) {
      return other.kind == shape.kind && bytes_of(at_size(other, bytes)) > bytes_of(shape);
    };
    return std::any_of(stage_.shapes.begin(), stage_.shapes.end(),
                       [&](const Experiment& other) { return is_longer(other, other.bytes); }) ||
           std::any_of(stage_.curves.begin(), stage_.curves.end(), [&](const Curve& curve) {
             return std::any_of(curve.shapes.begin(), curve.shapes.end(),
                                [&](const Experiment& other) { return is_longer(other, curve.sizes.back()); });
           });
  }

  /// Judged by the roundtrip with an empty reply.
  [[nodiscard]] Seconds delay_for(const Experiment& experiment) const {
    const auto reply = store_.series.find(empty_reply(experiment.bytes));
    if (reply == store_.series.end() || reply->second.count() == 0) {
      throw Error(fmt::format("{} needs the roundtrip of {} with an empty reply before it", describe(experiment),
                              format_bytes(experiment.bytes)));
    }
    return find_experiment(experiment.kind).delay(experiment, reply->second.time());
  }

  /// Mean over the group; in simulations 0.
  Seconds processor_time() {
    if (context_.transport.is_virtual()) {
      return 0;
    }
    Seconds sum = time_fixed_work(context_.transport);
    for (std::size_t i = 1; i < store_.group.size(); ++i) {
      sum += receive_value<Seconds>(context_.transport, store_.group[i], kProcessorTag);
    }
    return sum / static_cast<double>(store_.group.size());
  }

  /// From the leader to the next of its group.
  Seconds link_time() { return has_link(context_, store_.group) ? time_link(context_.transport, store_.group[1]) : 0; }

  [[nodiscard]] bool stopped() const { return limits_.stopped && limits_.stopped(); }

  void tell(const Order& order) {
    for (std::size_t i = 1; i < store_.group.size(); ++i) {
      send_value(context_.transport, order, store_.group[i], kOrderTag);
    }
  }

  TaskContext& context_;
  const CampaignStage& stage_;
  SeriesStore& store_;
  const SlotLimits& limits_;
  Seconds begin_;
  Seconds end_;           ///< of the share
  std::size_t left_ = 0;  ///< experiments that still share the slot's time
  std::set<Experiment> made_;
};

}  // namespace

void lead_slot(TaskContext& context, const CampaignStage& stage, SeriesStore& store, const SlotLimits& limits) {
  Leader(context, stage, store, limits).run();
}

void follow_slot(TaskContext& context, const CampaignStage& stage, const RankGroup& group) {
  const std::vector<Experiment> shapes = stage.all_shapes();
  for (auto order = receive_value<Order>(context.transport, group.front(), kOrderTag); order.index >= 0;
       order = receive_value<Order>(context.transport, group.front(), kOrderTag)) {
    Experiment experiment =
        with_participants(at_size(shapes[static_cast<std::size_t>(order.index)], order.bytes), group);
    experiment.delay = order.delay;
    find_experiment(experiment.kind).make_task(context, experiment)->follow(order.batch);
    if (!context.transport.is_virtual()) {
      send_value(context.transport, time_fixed_work(context.transport), group.front(), kProcessorTag);
    }
    if (has_link(context, group) && group[1] == context.transport.rank()) {
      answer_link(context.transport, group.front());
    }
  }
}

}  // namespace postage
