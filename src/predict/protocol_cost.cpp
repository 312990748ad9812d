#include "predict/protocol_cost.hpp"

namespace postage {
namespace {

/// A message without data: an address, an acknowledgement, a request. Models of gets tell it from data of a byte.
constexpr Bytes kSmallest = 1;

TransferCost smallest_message(const Model& model, TransferQuestion question) {
  question.bytes = model.properties().gets_data ? 0 : kSmallest;
  question.stride = 0;
  question.concurrency = question.sending_concurrency = question.receiving_concurrency = 1;
  question.opposing = 0;
  question.receiver_sends = false;
  question.protocol = Protocol::kDefault;
  return cost(model, question);
}

void put_address_first(TransferCost& data, const TransferCost& address) {
  data.wire += address.wire + address.receiver_busy + data.sender_busy;
  data.sender_busy = address.sender_busy;
}

void meet_first(TransferCost& data, const TransferCost& request) {
  data.sender_busy += 2 * request.total();
  data.gap += 2 * request.total();
  data.handshake += 2 * request.total();
}

void acknowledge(TransferCost& data, Seconds acknowledgements) {
  data.receiver_busy += acknowledgements;
  data.acknowledgement = data.receiver_busy;
}

}  // namespace

TransferCost protocol_cost(const Model& model, TransferQuestion question, const TransferForm& form) {
  const ModelProperties& properties = model.properties();
  const bool by_default = form.protocol == Protocol::kDefault && properties.gets_data && question.bytes > 0;
  question.protocol = form.protocol;
  TransferCost answer = cost(model, question);
  if (by_default || is_get(form.protocol)) {
    const TransferCost smallest = smallest_message(model, question);
    if (!properties.gets_data) {
      put_address_first(answer, smallest);
    }
    acknowledge(answer, (by_default && form.updates_what_it_sends ? 2 : 1) * smallest.total());
    answer.source_waits = form.protocol == Protocol::kAcknowledged;
  } else if (form.protocol == Protocol::kRendezvous && !properties.knows_rendezvous) {
    meet_first(answer, smallest_message(model, question));
  }
  if (form.combined) {
    answer.receiver_busy += combine_cost(model, question.bytes);
  }
  return answer;
}

}  // namespace postage
