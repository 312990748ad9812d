#pragma once

#include <compare>
#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace postage {

/// Members of an Experiment beside its kind and its bytes.
enum class ExperimentField : std::uint8_t {
  kSource,
  kTarget,
  kSecondTarget,
  kMembers,
  kChannel,
  kRoot,
  kRanks,
  kMethod,
  kReplyBytes,
  kMessages,
  kDelay,
  kRunBytes,
  kStride,
  kByHand,
  kCollective,
  kAlgorithm,
  kSegmentBytes,
  kSteps,
};

/// A set of them.
class ExperimentFields {
 public:
  constexpr ExperimentFields() = default;
  constexpr ExperimentFields(std::initializer_list<ExperimentField> fields) {
    for (const ExperimentField field : fields) {
      add(field);
    }
  }

  constexpr void add(ExperimentField field) { bits_ |= bit(field); }
  [[nodiscard]] constexpr bool has(ExperimentField field) const { return (bits_ & bit(field)) != 0; }
  [[nodiscard]] constexpr bool has_all(ExperimentFields others) const { return (others.bits_ & ~bits_) == 0; }
  [[nodiscard]] constexpr bool empty() const { return bits_ == 0; }
  [[nodiscard]] constexpr ExperimentFields with(ExperimentFields others) const {
    ExperimentFields both = *this;
    both.bits_ |= others.bits_;
    return both;
  }

 private:
  static constexpr std::uint32_t bit(ExperimentField field) { return std::uint32_t{1} << static_cast<unsigned>(field); }
  std::uint32_t bits_ = 0;
};

/// What kind of thing an experiment times: a name, and the fields that files hold of its experiments. Kinds with the
/// same name are equal. What each one times, and how, is said by its descriptor in measure's experiments/.
class ExperimentKind {
 public:
  /// `name` must live as long as the program. Experiments of a kind without fields cannot be written to files.
  constexpr explicit ExperimentKind(std::string_view name, ExperimentFields fields = {})
      : name_(name), fields_(fields) {}
  /// With a copy of the name that lives as long as the program.
  [[nodiscard]] static ExperimentKind named(std::string_view name, ExperimentFields fields);

  [[nodiscard]] constexpr std::string_view name() const { return name_; }
  [[nodiscard]] constexpr ExperimentFields fields() const { return fields_; }

  friend constexpr bool operator==(const ExperimentKind& a, const ExperimentKind& b) { return a.name_ == b.name_; }
  friend constexpr std::strong_ordering operator<=>(const ExperimentKind& a, const ExperimentKind& b) {
    return a.name_ <=> b.name_;
  }

  // Names of those that estimators and validation read.
  static const ExperimentKind kRoundtrip;
  static const ExperimentKind kStridedRoundtrip;
  static const ExperimentKind kEcho;
  static const ExperimentKind kHandshake;
  static const ExperimentKind kHandshakeEcho;
  static const ExperimentKind kRewriting;
  static const ExperimentKind kPipelinedExchange;
  static const ExperimentKind kTrain;
  static const ExperimentKind kAnsweredTrain;
  static const ExperimentKind kSendOverhead;
  static const ExperimentKind kDelayedReceive;
  static const ExperimentKind kOneToTwo;
  static const ExperimentKind kConcurrentPairs;
  static const ExperimentKind kRing;
  static const ExperimentKind kIncast;
  static const ExperimentKind kOutcast;
  static const ExperimentKind kButterfly;
  static const ExperimentKind kSynchronisedExchange;
  static const ExperimentKind kAnswer;
  static const ExperimentKind kPermutation;
  static const ExperimentKind kMesh;
  static const ExperimentKind kHostOutcast;
  static const ExperimentKind kScatter;
  static const ExperimentKind kGather;
  static const ExperimentKind kCollective;
  static const ExperimentKind kCopy;
  static const ExperimentKind kProgram;
  static const ExperimentKind kReduction;

 private:
  std::string_view name_;
  ExperimentFields fields_;
};

inline constexpr ExperimentKind ExperimentKind::kRoundtrip{"roundtrip"};
inline constexpr ExperimentKind ExperimentKind::kStridedRoundtrip{"strided-roundtrip"};
inline constexpr ExperimentKind ExperimentKind::kEcho{"echo"};
inline constexpr ExperimentKind ExperimentKind::kHandshake{"handshake"};
inline constexpr ExperimentKind ExperimentKind::kHandshakeEcho{"handshake-echo"};
inline constexpr ExperimentKind ExperimentKind::kRewriting{"rewriting"};
inline constexpr ExperimentKind ExperimentKind::kPipelinedExchange{"pipelined-exchange", {ExperimentField::kMessages}};
inline constexpr ExperimentKind ExperimentKind::kTrain{"train"};
inline constexpr ExperimentKind ExperimentKind::kAnsweredTrain{"answered-train", {ExperimentField::kMessages}};
inline constexpr ExperimentKind ExperimentKind::kSendOverhead{"send-overhead"};
inline constexpr ExperimentKind ExperimentKind::kDelayedReceive{"delayed-receive"};
inline constexpr ExperimentKind ExperimentKind::kOneToTwo{"one-to-two"};
inline constexpr ExperimentKind ExperimentKind::kConcurrentPairs{"concurrent-pairs"};
inline constexpr ExperimentKind ExperimentKind::kRing{"ring"};
inline constexpr ExperimentKind ExperimentKind::kIncast{"incast"};
inline constexpr ExperimentKind ExperimentKind::kOutcast{"outcast"};
inline constexpr ExperimentKind ExperimentKind::kButterfly{"butterfly"};
inline constexpr ExperimentKind ExperimentKind::kSynchronisedExchange{"synchronised-exchange"};
inline constexpr ExperimentKind ExperimentKind::kAnswer{"answer"};
inline constexpr ExperimentKind ExperimentKind::kPermutation{"permutation"};
inline constexpr ExperimentKind ExperimentKind::kMesh{"mesh"};
inline constexpr ExperimentKind ExperimentKind::kHostOutcast{"host-outcast"};
inline constexpr ExperimentKind ExperimentKind::kScatter{"scatter"};
inline constexpr ExperimentKind ExperimentKind::kGather{"gather"};
inline constexpr ExperimentKind ExperimentKind::kCollective{"collective"};
inline constexpr ExperimentKind ExperimentKind::kCopy{"copy"};
inline constexpr ExperimentKind ExperimentKind::kProgram{"program"};
inline constexpr ExperimentKind ExperimentKind::kReduction{"reduction"};

[[nodiscard]] constexpr std::string_view name_of(const ExperimentKind& kind) {
  return kind.name();
}

}  // namespace postage
