#include "shm/progress/endpoint.hpp"

#include <postage/shm/endpoint.hpp>

namespace postage {

ShmEndpoint::ShmEndpoint(const ShmSegment& segment, std::int32_t rank, const ShmOptions& options)
    : endpoint_(std::make_unique<shm::Endpoint>(segment, rank, options)) {}

ShmEndpoint::~ShmEndpoint() = default;
ShmEndpoint::ShmEndpoint(ShmEndpoint&&) noexcept = default;
ShmEndpoint& ShmEndpoint::operator=(ShmEndpoint&&) noexcept = default;

std::int32_t ShmEndpoint::rank() const {
  return endpoint_->group().rank;
}

std::int32_t ShmEndpoint::size() const {
  return endpoint_->group().size;
}

void ShmEndpoint::send(const ConstStridedBytes& message, std::int32_t target, int tag, std::uint32_t context) {
  endpoint_->send(message, target, tag, context);
}

MessageStatus ShmEndpoint::receive(const StridedBytes& message, std::int32_t source, int tag, std::uint32_t context) {
  return endpoint_->receive(message, source, tag, context);
}

ShmRequest ShmEndpoint::start_send(const ConstStridedBytes& message, std::int32_t target, int tag,
                                   std::uint32_t context) {
  return endpoint_->start_send(message, target, tag, context);
}

ShmRequest ShmEndpoint::start_single_copy(const ConstStridedBytes& message, std::int32_t target, int tag,
                                          std::uint32_t context) {
  return endpoint_->start_single_copy(message, target, tag, context);
}

ShmRequest ShmEndpoint::start_receive(const StridedBytes& message, std::int32_t source, int tag,
                                      std::uint32_t context) {
  return endpoint_->start_receive(message, source, tag, context);
}

std::optional<MessageStatus> ShmEndpoint::test(ShmRequest& request) {
  return endpoint_->test(request);
}

MessageStatus ShmEndpoint::wait(ShmRequest& request) {
  return endpoint_->wait(request);
}

void ShmEndpoint::wait_all(std::span<ShmRequest> requests) {
  endpoint_->wait_all(requests);
}

std::optional<MessageStatus> ShmEndpoint::try_probe(std::int32_t source, int tag, std::uint32_t context) {
  return endpoint_->try_probe(source, tag, context);
}

MessageStatus ShmEndpoint::probe(std::int32_t source, int tag, std::uint32_t context) {
  return endpoint_->probe(source, tag, context);
}

void ShmEndpoint::use_thresholds(const ThresholdTable& thresholds) {
  endpoint_->use_thresholds(thresholds);
}

Connection ShmEndpoint::connection(std::int32_t peer) const {
  return endpoint_->connection(peer);
}

WaitCounts ShmEndpoint::wait_counts() const {
  return endpoint_->group().counts;
}

}  // namespace postage
