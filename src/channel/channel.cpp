#include "channel/endpoint.hpp"

#include <postage/channel/channel.hpp>

namespace postage {

Channel::Channel(const ChannelSegment& segment, std::int32_t rank, const ChannelOptions& options)
    : endpoint_(std::make_unique<channel::Endpoint>(segment, rank, options)) {}

Channel::~Channel() = default;
Channel::Channel(Channel&&) noexcept = default;
Channel& Channel::operator=(Channel&&) noexcept = default;

std::int32_t Channel::rank() const {
  return endpoint_->rank();
}

std::int32_t Channel::size() const {
  return endpoint_->size();
}

void Channel::send(const ConstStridedBytes& message, std::int32_t target, int tag, std::uint32_t context) {
  endpoint_->send(message, target, tag, context);
}

MessageStatus Channel::receive(const StridedBytes& message, std::int32_t source, int tag, std::uint32_t context) {
  return endpoint_->receive(message, source, tag, context);
}

ChannelRequest Channel::start_send(const ConstStridedBytes& message, std::int32_t target, int tag,
                                   std::uint32_t context) {
  return endpoint_->start_send(message, target, tag, context);
}

ChannelRequest Channel::start_receive(const StridedBytes& message, std::int32_t source, int tag,
                                      std::uint32_t context) {
  return endpoint_->start_receive(message, source, tag, context);
}

std::optional<MessageStatus> Channel::test(ChannelRequest& request) {
  return endpoint_->test(request);
}

MessageStatus Channel::wait(ChannelRequest& request) {
  return endpoint_->wait(request);
}

void Channel::wait_all(std::span<ChannelRequest> requests) {
  endpoint_->wait_all(requests);
}

std::optional<MessageStatus> Channel::try_probe(std::int32_t source, int tag, std::uint32_t context) {
  return endpoint_->try_probe(source, tag, context);
}

MessageStatus Channel::probe(std::int32_t source, int tag, std::uint32_t context) {
  return endpoint_->probe(source, tag, context);
}

void Channel::use_thresholds(const ThresholdTable& thresholds) {
  endpoint_->use_thresholds(thresholds);
}

Connection Channel::connection(std::int32_t peer) const {
  return endpoint_->connection(peer);
}

WaitCounts Channel::wait_counts() const {
  return endpoint_->wait_counts();
}

}  // namespace postage
