#pragma once

#include <postage/transport/transport.hpp>

#include <mpi.h>

#include <limits>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace postage {

/// MPI's datatypes of strided layouts and of elements that lie apart, each made once, and sums of such elements.
class StridedTypes {
 public:
  StridedTypes() = default;
  ~StridedTypes();
  StridedTypes(const StridedTypes&) = delete;
  StridedTypes& operator=(const StridedTypes&) = delete;
  /// O(layouts so far).
  [[nodiscard]] MPI_Datatype type_of(const StridedLayout& layout);
  /// One piece, from whose start to the next one's are `stride` bytes.
  [[nodiscard]] MPI_Datatype element_of(const Strides& strides);
  /// Adds doubles, or single bytes, of such pieces.
  [[nodiscard]] MPI_Op sum_of(Bytes element_bytes);

 private:
  std::vector<std::pair<StridedLayout, MPI_Datatype>> types_;
  std::vector<std::pair<Strides, MPI_Datatype>> elements_;
  std::map<Bytes, MPI_Op> sums_;
};

class Middleware;

/// Messages over an MPI communicator, which it duplicates so that no other messages can match. MPI must be
/// initialised, and not finalised before this object is gone. What MPI reports is thrown as Error.
class MpiTransport final : public Transport {
 public:
  /// The most bytes that MPI's counts can say. Larger messages are described by a datatype.
  static constexpr int kLargestCount = std::numeric_limits<int>::max();

  /// Duplicating a communicator is collective. A smaller `largest_count` is for tests.
  explicit MpiTransport(MPI_Comm communicator, int largest_count = kLargestCount);
  ~MpiTransport() override;
  MpiTransport(const MpiTransport&) = delete;
  MpiTransport& operator=(const MpiTransport&) = delete;

  [[nodiscard]] std::int32_t rank() const override { return rank_; }
  [[nodiscard]] std::int32_t size() const override { return size_; }
  [[nodiscard]] std::string host() const override;
  [[nodiscard]] int bound_pu() const override;
  [[nodiscard]] std::string implementation() const override;

  void send(std::span<const std::byte> message, std::int32_t target, int tag) override;
  void receive(std::span<std::byte> message, std::int32_t source, int tag) override;
  [[nodiscard]] Request start_send(std::span<const std::byte> message, std::int32_t target, int tag) override;
  [[nodiscard]] Request start_rendezvous(std::span<const std::byte> message, std::int32_t target, int tag) override;
  [[nodiscard]] Request start_receive(std::span<std::byte> message, std::int32_t source, int tag) override;
  void wait_all(std::span<const Request> requests) override;
  void barrier() override;
  void send_strided(std::span<const std::byte> memory, const StridedLayout& layout, std::int32_t target,
                    int tag) override;
  void receive_strided(std::span<std::byte> memory, const StridedLayout& layout, std::int32_t source, int tag) override;
  [[nodiscard]] Request start_send_strided(std::span<const std::byte> memory, const StridedLayout& layout,
                                           std::int32_t target, int tag) override;
  [[nodiscard]] Request start_receive_strided(std::span<std::byte> memory, const StridedLayout& layout,
                                              std::int32_t source, int tag) override;

  void call_library(const LibraryCall& call) override;

  [[nodiscard]] Seconds now() const override;
  [[nodiscard]] bool has_global_clock() const override { return global_clock_; }
  [[nodiscard]] bool is_virtual() const override;
  void wait_until(Seconds time) override;
  void account_for(double operations) override;

 private:
  [[nodiscard]] Request keep(MPI_Request request);
  /// In simulations, the time that this end of a message takes the processor: what the middleware takes, where the
  /// platform says it, else what packing takes.
  void spend_on_message(const StridedLayout& layout, std::int32_t peer);
  void spend_on_contiguous(std::size_t bytes, std::int32_t peer);
  void spend_on_received(std::span<const Request> requests);
  [[nodiscard]] Request keep_receive(MPI_Request request, const StridedLayout& layout, std::int32_t source);
  [[nodiscard]] bool all_on_one_host() const;
  template <typename Call>
  void with_count_and_type(std::size_t bytes, const Call& call) const;

  MPI_Comm communicator_ = MPI_COMM_NULL;
  std::int32_t rank_ = 0;
  std::int32_t size_ = 1;
  int largest_count_;
  bool global_clock_ = false;
  StridedTypes strided_types_;
  std::vector<MPI_Request> requests_;
  std::unique_ptr<Middleware> middleware_;                               ///< of simulated platforms that describe it
  std::map<Request, std::pair<StridedLayout, std::int32_t>> receiving_;  ///< and from whom, in simulations
  std::vector<Request> free_;
  std::vector<MPI_Request> waiting_;
};

}  // namespace postage
