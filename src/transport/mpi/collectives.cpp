#include "transport/mpi/engine.hpp"

#include <algorithm>

namespace postage {
namespace {

/// The vector collectives: what is given and what is wanted are `elements` elements of one type.
MpiCall vector_call(Collective collective, const void* send, void* receive, Index elements, MPI_Datatype type,
                    MPI_Op op) {
  const TypedShape all = TypedShape::of(MpiType(type), elements);
  const bool in_place = send == MPI_IN_PLACE;
  return {.collective = collective,
          .request = {.bytes = elements * all.type.size(), .element_bytes = std::max<Bytes>(all.type.size(), 1)},
          .given_at = send,
          .given = all,
          .wanted_at = receive,
          .wanted = all,
          .in_place = in_place,
          .one_buffer = in_place,
          .op = op};
}

/// In place, what a rank gives is where it wants the result.
void set_given(MpiCall& call, const void* send, const TypedShape& shape) {
  call.given_at = send;
  call.given = shape;
}

void set_in_place(MpiCall& call) {
  call.given = call.wanted;
  call.in_place = true;
  call.one_buffer = true;
}

std::vector<Bytes> sizes_of(std::span<const int> counts, const MpiType& type) {
  std::vector<Bytes> sizes;
  for (const int count : counts) {
    sizes.push_back(count * type.size());
  }
  return sizes;
}

/// Blocks of the same size need no list.
void set_blocks(ScheduleRequest& request, std::vector<Bytes> sizes, Bytes bytes_if_equal) {
  if (std::adjacent_find(sizes.begin(), sizes.end(), std::not_equal_to<>()) == sizes.end()) {
    request.bytes = bytes_if_equal;
  } else {
    request.block_bytes = std::move(sizes);
  }
}

}  // namespace

MpiCollectives::MpiCollectives(MPI_Comm communicator) : engine_(std::make_unique<Engine>(communicator)) {}

MpiCollectives::~MpiCollectives() = default;

void MpiCollectives::barrier(const CollectiveChoice& choice) {
  engine_->run({}, choice);
}

void MpiCollectives::bcast(void* buffer, int count, MPI_Datatype type, int root, const CollectiveChoice& choice) {
  const TypedShape all = TypedShape::of(MpiType(type), count);
  MpiCall call{.collective = Collective::kBcast,
               .request = {.root = root, .bytes = all.bytes()},
               .wanted_at = buffer,
               .one_buffer = engine_->rank() == root};
  (call.one_buffer ? call.given : call.wanted) = all;
  engine_->run(call, choice);
}

void MpiCollectives::reduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, int root,
                            const CollectiveChoice& choice) {
  MpiCall call = vector_call(Collective::kReduce, send, receive, count, type, op);
  call.request.root = root;
  if (engine_->rank() != root) {
    call.wanted = {};
  }
  engine_->run(call, choice);
}

void MpiCollectives::allreduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op,
                               const CollectiveChoice& choice) {
  engine_->run(vector_call(Collective::kAllreduce, send, receive, count, type, op), choice);
}

void MpiCollectives::scan(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op,
                          const CollectiveChoice& choice) {
  engine_->run(vector_call(Collective::kScan, send, receive, count, type, op), choice);
}

void MpiCollectives::exscan(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op,
                            const CollectiveChoice& choice) {
  MpiCall call = vector_call(Collective::kExscan, send, receive, count, type, op);
  if (engine_->rank() == 0) {
    call.wanted = {};
  }
  engine_->run(call, choice);
}

void MpiCollectives::reduce_scatter(const void* send, void* receive, const int* counts, MPI_Datatype type, MPI_Op op,
                                    const CollectiveChoice& choice) {
  const std::span<const int> all_counts(counts, static_cast<std::size_t>(engine_->ranks()));
  Index elements = 0;
  for (const int count : all_counts) {
    elements += count;
  }
  MpiCall call = vector_call(Collective::kReduceScatter, send, receive, elements, type, op);
  call.wanted = TypedShape::of(call.given.type, counts[engine_->rank()]);
  set_blocks(call.request, sizes_of(all_counts, call.given.type), call.request.bytes);
  engine_->run(call, choice);
}

void MpiCollectives::reduce_scatter_block(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op,
                                          const CollectiveChoice& choice) {
  MpiCall call = vector_call(Collective::kReduceScatter, send, receive, Index{count} * engine_->ranks(), type, op);
  call.wanted = TypedShape::of(call.given.type, count);
  engine_->run(call, choice);
}

void MpiCollectives::gather(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                            MPI_Datatype receive_type, int root, const CollectiveChoice& choice) {
  MpiCall call{.collective = Collective::kGather, .request = {.root = root}, .wanted_at = receive};
  if (engine_->rank() == root) {
    call.wanted = TypedShape::of(MpiType(receive_type), Index{receive_count} * engine_->ranks());
    call.request.bytes = receive_count * call.wanted.type.size();
  }
  if (send == MPI_IN_PLACE) {
    set_in_place(call);
  } else {
    set_given(call, send, TypedShape::of(MpiType(send_type), send_count));
    call.request.bytes = call.given.bytes();
  }
  engine_->run(call, choice);
}

void MpiCollectives::gatherv(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                             const int* receive_counts, const int* displacements, MPI_Datatype receive_type, int root,
                             const CollectiveChoice& choice) {
  const auto ranks = static_cast<std::size_t>(engine_->ranks());
  MpiCall call{.collective = Collective::kGather, .request = {.root = root}, .wanted_at = receive};
  std::vector<Bytes>& sizes = call.request.block_bytes;
  sizes.resize(ranks);
  if (engine_->rank() == root) {
    const std::span<const int> counts(receive_counts, ranks);
    call.wanted = TypedShape::of(MpiType(receive_type), counts, displacements);
    sizes = sizes_of(counts, call.wanted.type);
  }
  if (send == MPI_IN_PLACE) {
    set_in_place(call);
  } else {
    set_given(call, send, TypedShape::of(MpiType(send_type), send_count));
    sizes[static_cast<std::size_t>(engine_->rank())] = call.given.bytes();
  }
  if (engine_->needs_all_sizes(call.collective, choice)) {
    engine_->share(sizes, root);
  }
  engine_->run(call, choice);
}

void MpiCollectives::scatter(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                             MPI_Datatype receive_type, int root, const CollectiveChoice& choice) {
  MpiCall call{.collective = Collective::kScatter, .request = {.root = root}, .wanted_at = receive};
  if (engine_->rank() == root) {
    set_given(call, send, TypedShape::of(MpiType(send_type), Index{send_count} * engine_->ranks()));
    call.request.bytes = send_count * call.given.type.size();
  }
  call.in_place = receive == MPI_IN_PLACE;
  if (!call.in_place) {
    call.wanted = TypedShape::of(MpiType(receive_type), receive_count);
    call.request.bytes = call.wanted.bytes();
  }
  engine_->run(call, choice);
}

void MpiCollectives::scatterv(const void* send, const int* send_counts, const int* displacements,
                              MPI_Datatype send_type, void* receive, int receive_count, MPI_Datatype receive_type,
                              int root, const CollectiveChoice& choice) {
  const auto ranks = static_cast<std::size_t>(engine_->ranks());
  MpiCall call{.collective = Collective::kScatter, .request = {.root = root}, .wanted_at = receive};
  std::vector<Bytes>& sizes = call.request.block_bytes;
  sizes.resize(ranks);
  if (engine_->rank() == root) {
    const std::span<const int> counts(send_counts, ranks);
    set_given(call, send, TypedShape::of(MpiType(send_type), counts, displacements));
    sizes = sizes_of(counts, call.given.type);
  }
  call.in_place = receive == MPI_IN_PLACE;
  if (!call.in_place) {
    call.wanted = TypedShape::of(MpiType(receive_type), receive_count);
    sizes[static_cast<std::size_t>(engine_->rank())] = call.wanted.bytes();
  }
  if (engine_->needs_all_sizes(call.collective, choice)) {
    engine_->share(sizes, root);
  }
  engine_->run(call, choice);
}

void MpiCollectives::allgather(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                               int receive_count, MPI_Datatype receive_type, const CollectiveChoice& choice) {
  MpiCall call{.collective = Collective::kAllgather, .wanted_at = receive};
  call.wanted = TypedShape::of(MpiType(receive_type), Index{receive_count} * engine_->ranks());
  call.request.bytes = receive_count * call.wanted.type.size();
  if (send == MPI_IN_PLACE) {
    set_in_place(call);
  } else {
    set_given(call, send, TypedShape::of(MpiType(send_type), send_count));
  }
  engine_->run(call, choice);
}

void MpiCollectives::allgatherv(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                                const int* receive_counts, const int* displacements, MPI_Datatype receive_type,
                                const CollectiveChoice& choice) {
  const std::span<const int> counts(receive_counts, static_cast<std::size_t>(engine_->ranks()));
  MpiCall call{.collective = Collective::kAllgather, .wanted_at = receive};
  call.wanted = TypedShape::of(MpiType(receive_type), counts, displacements);
  set_blocks(call.request, sizes_of(counts, call.wanted.type), counts.front() * call.wanted.type.size());
  if (send == MPI_IN_PLACE) {
    set_in_place(call);
  } else {
    set_given(call, send, TypedShape::of(MpiType(send_type), send_count));
  }
  engine_->run(call, choice);
}

void MpiCollectives::alltoall(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                              int receive_count, MPI_Datatype receive_type, const CollectiveChoice& choice) {
  MpiCall call{.collective = Collective::kAlltoall, .wanted_at = receive};
  call.wanted = TypedShape::of(MpiType(receive_type), Index{receive_count} * engine_->ranks());
  call.request.bytes = receive_count * call.wanted.type.size();
  if (send == MPI_IN_PLACE) {
    set_in_place(call);
  } else {
    set_given(call, send, TypedShape::of(MpiType(send_type), Index{send_count} * engine_->ranks()));
  }
  engine_->run(call, choice);
}

void MpiCollectives::alltoallv(const void* send, const int* send_counts, const int* send_displacements,
                               MPI_Datatype send_type, void* receive, const int* receive_counts,
                               const int* receive_displacements, MPI_Datatype receive_type,
                               const CollectiveChoice& choice) {
  const auto ranks = static_cast<std::size_t>(engine_->ranks());
  const auto rank = static_cast<std::size_t>(engine_->rank());
  const std::span<const int> arriving(receive_counts, ranks);
  MpiCall call{.collective = Collective::kAlltoall, .wanted_at = receive};
  call.wanted = TypedShape::of(MpiType(receive_type), arriving, receive_displacements);
  const std::vector<Bytes> column = sizes_of(arriving, call.wanted.type);
  std::vector<Bytes> row = column;
  if (send == MPI_IN_PLACE) {
    set_in_place(call);
  } else {
    const std::span<const int> leaving(send_counts, ranks);
    set_given(call, send, TypedShape::of(MpiType(send_type), leaving, send_displacements));
    row = sizes_of(leaving, call.given.type);
  }
  std::vector<Bytes>& sizes = call.request.block_bytes;
  sizes.resize(ranks * ranks);
  for (std::size_t other = 0; other < ranks; ++other) {
    sizes[other * ranks + rank] = column[other];
    sizes[rank * ranks + other] = row[other];
  }
  if (engine_->needs_all_sizes(call.collective, choice)) {
    engine_->share_rows(sizes);
  }
  engine_->run(call, choice);
}

}  // namespace postage
