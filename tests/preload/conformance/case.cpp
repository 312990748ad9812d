#include "case.hpp"

#include <algorithm>

namespace postage {
namespace {

Layout typed_layout(const Case& test) {
  Layout layout = layout_of(test);
  layout.sent.type = layout.received.type = test.type.type;
  const bool uses_basic = test.mixed && test.communicator->rank() % 2 == 1 && test.type.basics > 0;
  for (Part* const part : {&layout.sent, &layout.received}) {
    // Displacements of several blocks count elements of the type's extent.
    if (uses_basic && part->counts.size() == 1) {
      part->counts.front() *= test.type.basics;
      part->type = test.type.basic;
    }
  }
  return layout;
}

/// The first elements, without gaps.
std::string packed(const Memory& memory, int count, MPI_Datatype type, MPI_Comm comm) {
  int bytes = 0;
  PMPI_Pack_size(count, type, comm, &bytes);
  std::string result(static_cast<std::size_t>(bytes), '\0');
  int end = 0;
  PMPI_Pack(memory.address(), count, type, result.data(), bytes, &end, comm);
  result.resize(static_cast<std::size_t>(end));
  return result;
}

}  // namespace

TwoCalls::TwoCalls(const Case& test)
    : test_(test),
      layout_(typed_layout(test)),
      untouched_{memory(layout_.sent, layout_.send_elements(), 0),
                 memory(layout_.received, layout_.receive_elements(), 1)},
      ours_(untouched_),
      theirs_(untouched_) {}

Memory TwoCalls::memory(const Part& part, int elements, std::uint64_t stream) const {
  TestType type = test_.type;
  type.type = part.type;
  const auto rank = static_cast<std::uint64_t>(test_.communicator->rank());
  return {type, elements, 2 * (test_.seed + 1000 * rank) + stream};
}

bool fails_in_library(const Case& test) {
#ifdef MPICH_VERSION
  // 4.0.2: "Message truncated" where elements hold different basic types; a segmentation fault in Rabenseifner's
  // algorithm where a root that is not rank 0 reduces in place; in a reduce_scatter in place, where a rank's own block
  // overlaps the first one, an assertion; and in one of derived types writes beyond its own memory.
  const bool cuts = test.call == Call::kScatter || test.call == Call::kGather || test.call == Call::kAlltoall ||
                    test.call == Call::kAlltoallv;
  const bool scatters = test.call == Call::kReduceScatter || test.call == Call::kReduceScatterBlock;
  const bool reduces_to_other = test.call == Call::kReduce && test.root != 0;
  const bool is_derived = test.type.kind.fill == nullptr;
  return test.count > 1 && ((cuts && test.type.basics == 0) || ((scatters || reduces_to_other) && test.in_place) ||
                            (scatters && is_derived));
#else
  (void)test;
  return false;
#endif
}

Arguments TwoCalls::arguments(Buffers& buffers) const {
  Arguments a{
      .op = test_.operation ? test_.operation->op : MPI_OP_NULL, .root = test_.root, .comm = test_.communicator->comm};
  // What is not significant on this rank is not even valid.
  const bool reduces = test_.operation.has_value();
  a.sent = layout_.reads_send || reduces ? layout_.sent : Part{};
  a.received = layout_.reads_receive || reduces ? layout_.received : Part{};
  a.send = layout_.send_in_place ? MPI_IN_PLACE : layout_.reads_send ? buffers.send.address() : nullptr;
  a.receive = layout_.receive_in_place ? MPI_IN_PLACE : layout_.reads_receive ? buffers.receive.address() : nullptr;
  return a;
}

void TwoCalls::make(Names names) {
  const Arguments a = arguments(names == Names::kProgram ? ours_ : theirs_);
  expect_datatype(a.sent.type);
  (names == Names::kProgram ? our_code_ : their_code_) = invoke(names, test_.call, a);
}

/// Without what a reduce_scatter in place leaves undefined: all behind the rank's block.
Memory TwoCalls::defined(Memory received) const {
  const bool scatters = test_.call == Call::kReduceScatter || test_.call == Call::kReduceScatterBlock;
  if (scatters && layout_.send_in_place) {
    const auto own = test_.call == Call::kReduceScatter ? static_cast<std::size_t>(test_.communicator->rank()) : 0;
    received.forget_from(layout_.received.counts[own]);
  }
  return received;
}

std::optional<std::string> TwoCalls::find_mistake() const {
  if (our_code_ != their_code_) {
    return "returns " + std::to_string(our_code_) + ", the library " + std::to_string(their_code_);
  }
  TestType exact = test_.type;
  exact.kind = {};
  if (const auto difference = ours_.send.difference(untouched_.send, exact)) {
    return "the send buffer has changed at " + *difference;
  }
  const int ranks = test_.communicator->size();
  const double roundings = test_.operation && test_.operation->rounds ? 2.0 * (ranks - 1) : 0;
  if (const auto difference =
          defined(ours_.receive).difference(defined(theirs_.receive), test_.type, roundings, ranks)) {
    return "the receive buffer differs at " + *difference;
  }
  return disagreement();
}

/// Programs decide by the bits of such results, and would part ways otherwise.
std::optional<std::string> TwoCalls::disagreement() const {
  // Padding of long double has no value.
  const bool has_padding = test_.type.type == MPI_LONG_DOUBLE || test_.type.type == MPI_LONG_DOUBLE_INT;
  if (test_.call != Call::kAllreduce || test_.count == 0 || test_.type.kind.fill == nullptr || has_padding) {
    return std::nullopt;
  }
  const MPI_Comm comm = test_.communicator->comm;
  const std::string own = packed(ours_.receive, test_.count, test_.type.type, comm);
  std::string first = own;
  PMPI_Bcast(first.data(), static_cast<int>(first.size()), MPI_BYTE, 0, comm);
  if (first != own) {
    return "rank 0 has other bits";
  }
  return std::nullopt;
}

int TestCommunicator::rank() const {
  int rank = 0;
  PMPI_Comm_rank(comm, &rank);
  return rank;
}

int TestCommunicator::size() const {
  int size = 0;
  PMPI_Comm_size(comm, &size);
  return size;
}

std::string text_of(const Case& test) {
  std::string text(name_of(test.call));
  text += " of " + std::to_string(test.count) + " " + test.type.name;
  text += test.operation ? ", " + test.operation->name : "";
  text += has_root(test.call) ? ", root " + std::to_string(test.root) : "";
  text += test.in_place ? ", in place" : "";
  text += test.mixed ? ", other types on odd ranks" : "";
  return text + ", on " + test.communicator->name;
}

}  // namespace postage
