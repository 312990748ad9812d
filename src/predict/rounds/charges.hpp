#pragma once

#include "predict/protocol_cost.hpp"
#include "predict/rounds/pattern_messages.hpp"
#include "predict/rounds/together.hpp"

#include <postage/platform/mapping.hpp>

#include <array>

namespace postage {

/// What a message was found to cost.
struct Charge {
  bool known = false;
  TransferQuestion question;
  TransferForm form;
  TransferCost shared;
  TransferCost together;  ///< see started_together
  Seconds alone = 0;      ///< if it shared nothing
};

/// The last message in one direction of a round.
struct Repeated {
  bool known = false;
  Bundle bundle;
  bool receiver_sends = false;
  TransferCost shared;
  TransferCost together;
  Seconds alone = 0;
};

/// What messages cost, which is mostly what one of those just before has cost.
class Charges {
 public:
  explicit Charges(const Model& model) : model_(model) {}

  /// What a transfer costs that shares nothing.
  [[nodiscard]] TransferCost of_lone(const Transfer& transfer, const ChannelMap& channels) const {
    TransferQuestion question{.channel = channels.channel_of(transfer.source, transfer.target),
                              .bytes = transfer.bytes};
    if (depends_on_ranks(model_)) {
      question.source = channels.measured_rank(transfer.source);
      question.target = channels.measured_rank(transfer.target);
    }
    return protocol_cost(model_, question, form_of(*transfer.pattern));
  }

  /// Valid until the next call.
  const Charge& of(const TransferQuestion& question, const TransferForm& form) {
    Charge& known = kept_[slot_of(question)];
    if (known.known && known.question == question && known.form == form) {
      return known;
    }
    TransferQuestion undisturbed = question;
    undisturbed.concurrency = undisturbed.sending_concurrency = undisturbed.receiving_concurrency = 1;
    undisturbed.opposing = 0;
    undisturbed.receiver_sends = false;
    const TransferCost shared = protocol_cost(model_, question, form);
    known = {true,
             question,
             form,
             shared,
             started_together(model_, question, shared),
             protocol_cost(model_, undisturbed, form).total()};
    return known;
  }

 private:
  static constexpr std::size_t kKept = 256;

  /// Questions that differ in their concurrency by little have slots of their own.
  static std::size_t slot_of(const TransferQuestion& question) {
    const auto shared = static_cast<std::size_t>(question.concurrency + 5 * question.sending_concurrency +
                                                 11 * question.receiving_concurrency);
    const auto ends = static_cast<std::size_t>(17 * (question.source + 1) + 29 * (question.target + 1));
    return (shared + ends + 3 * question.channel + static_cast<std::size_t>(question.bytes >> 6)) % kKept;
  }

  const Model& model_;
  std::array<Charge, kKept> kept_;
};

}  // namespace postage
