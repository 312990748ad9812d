#pragma once

#include <postage/base/strides.hpp>
#include <postage/model/fan_limits.hpp>
#include <postage/model/host_overheads.hpp>
#include <postage/model/transfer.hpp>

#include <concepts>
#include <memory>
#include <typeinfo>
#include <utility>

namespace postage {

/// A type that says what a transfer costs.
template <typename Concrete>
concept CostModel = requires(const Concrete& model, const TransferQuestion& question) {
  { model.cost(question) } -> std::same_as<TransferCost>;
};

/// Any model, as a value that is cheap to copy. Of the concrete type it uses what is there beside cost():
///
///   static constexpr ModelProperties kProperties   what evaluators may assume, or a member `properties`; else the
///                                                  defaults
///   double combine_per_byte                        gamma, s/B; else combining takes no time
///   HostOverheads host                             else none
///   FanLimits fan_limits                           else a fan's messages cost what each of them costs alone
///   links.has_pairs(), processors, bool by_ranks   whether two transfers over one channel may cost different times
class Model {
 public:
  template <CostModel Concrete>
  requires(!std::same_as<Concrete, Model>)
      Model(Concrete concrete)  // NOLINT(google-explicit-constructor): every concrete model is a model
      : holder_(std::make_shared<HolderOf<Concrete>>(std::move(concrete))), fan_limits_(holder_->fan_limits) {}

  /// O(log pairs + log regimes + log points), no allocation. Throws Error where the model knows nothing of the channel
  /// or of a rank's processor.
  [[nodiscard]] TransferCost cost(const TransferQuestion& question) const {
    return strides_.separates(question.bytes) ? strided_cost(question) : holder_->cost(question);
  }

  /// The same model of messages that have these strides at both ends, as far as they have more than one piece.
  [[nodiscard]] Model with_strides(const Strides& strides) const {
    Model strided = *this;
    strided.strides_ = strides;
    return strided;
  }

  [[nodiscard]] const ModelProperties& properties() const { return holder_->properties; }
  [[nodiscard]] double combine_per_byte() const { return holder_->combine_per_byte; }
  [[nodiscard]] bool depends_on_ranks() const { return holder_->depends_on_ranks; }
  [[nodiscard]] const HostOverheads& host() const {
    static const HostOverheads none;
    return holder_->host != nullptr ? *holder_->host : none;
  }

  /// Null where rounds in which a rank has several partners cost no more than their messages do.
  [[nodiscard]] const FanLimits* fan_limits() const { return fan_limits_.get(); }
  /// The same model that takes medium blocks otherwise. The model must have fan limits.
  [[nodiscard]] Model with_medium_fans(FanLimits::Medium medium) const {
    FanLimits limits = *fan_limits_;
    limits.medium = medium;
    Model other = *this;
    other.fan_limits_ = std::make_shared<const FanLimits>(std::move(limits));
    return other;
  }

  /// The concrete model; null where it is of another type.
  template <typename Concrete>
  [[nodiscard]] const Concrete* target() const {
    return holder_->type() == typeid(Concrete) ? &static_cast<const HolderOf<Concrete>&>(*holder_).concrete : nullptr;
  }

 private:
  struct Holder {
    Holder() = default;
    Holder(const Holder&) = delete;
    Holder& operator=(const Holder&) = delete;
    virtual ~Holder() = default;
    [[nodiscard]] virtual TransferCost cost(const TransferQuestion& question) const = 0;
    [[nodiscard]] virtual const std::type_info& type() const = 0;

    ModelProperties properties;
    double combine_per_byte = 0;
    bool depends_on_ranks = false;
    const HostOverheads* host = nullptr;
    std::shared_ptr<const FanLimits> fan_limits{};
  };

  template <typename Concrete>
  struct HolderOf final : Holder {
    explicit HolderOf(Concrete model) : concrete(std::move(model)) {
      if constexpr (requires { Concrete::kProperties; }) {
        this->properties = Concrete::kProperties;
      }
      if constexpr (requires { concrete.properties; }) {
        this->properties = concrete.properties;
      }
      if constexpr (requires { concrete.combine_per_byte; }) {
        this->combine_per_byte = concrete.combine_per_byte;
      }
      if constexpr (requires { concrete.host; }) {
        this->host = &concrete.host;
      }
      if constexpr (requires { concrete.fan_limits.scatter_step; }) {
        this->fan_limits = std::make_shared<const FanLimits>(concrete.fan_limits);
      }
      if constexpr (requires { concrete.links.has_pairs(); }) {
        this->depends_on_ranks = concrete.links.has_pairs();
      }
      if constexpr (requires { concrete.processors.empty(); }) {
        this->depends_on_ranks = this->depends_on_ranks || !concrete.processors.empty();
      }
      if constexpr (requires { concrete.by_ranks; }) {
        this->depends_on_ranks = concrete.by_ranks;
      }
    }
    [[nodiscard]] TransferCost cost(const TransferQuestion& question) const override { return concrete.cost(question); }
    [[nodiscard]] const std::type_info& type() const override { return typeid(Concrete); }

    Concrete concrete;
  };

  [[nodiscard]] TransferCost strided_cost(TransferQuestion question) const {
    question.stride = strides_.stride;
    return holder_->cost(question);
  }

  std::shared_ptr<const Holder> holder_;
  Strides strides_{};
  std::shared_ptr<const FanLimits> fan_limits_;
};

/// What one transfer costs under the model; see Model::cost.
[[nodiscard]] inline TransferCost cost(const Model& model, const TransferQuestion& question) {
  return model.cost(question);
}

/// What it takes a rank to combine `bytes` bytes that have arrived with its own: gamma*m (Ali et al., PPoPP 2010,
/// section 3.1); 0 where gamma was not given.
[[nodiscard]] inline Seconds combine_cost(const Model& model, Bytes bytes) {
  return model.combine_per_byte() * static_cast<double>(bytes);
}

/// True where two transfers over one channel may cost different times, so that every rank has to be looked at.
[[nodiscard]] inline bool depends_on_ranks(const Model& model) {
  return model.depends_on_ranks();
}

[[nodiscard]] inline bool feels_contention(const Model& model) {
  return model.properties().feels_contention;
}

[[nodiscard]] inline bool moves_in_step(const Model& model) {
  return model.properties().moves_in_step;
}

}  // namespace postage
