#include "collectives.hpp"

#include <postage/schedule/tree_file.hpp>

namespace matmul {

Blocks::Blocks(std::vector<int> of_ranks) : counts(std::move(of_ranks)) {
  for (const int count : counts) {
    offsets.push_back(total);
    total += count;
  }
}

Collectives::Collectives(MPI_Comm communicator, const std::filesystem::path& trees, const std::string& bcast,
                         const std::string& among)
    : communicator_(communicator), bcast_(bcast) {
  MPI_Comm_rank(communicator, &rank_);
  MPI_Comm_size(communicator, &ranks_);
  if (!trees.empty()) {
    transport_ = std::make_unique<postage::MpiTransport>(communicator);
    for (const char* name : {"scatterv", "gatherv", "bcast"}) {
      read(trees / (name + among + ".json"), name);
    }
  }
  if (!bcast.empty()) {
    postage_ = std::make_unique<postage::MpiCollectives>(communicator);
  }
}

void Collectives::read(const std::filesystem::path& file, const std::string& name) {
  if (std::filesystem::exists(file)) {
    const postage::CollectiveTree tree = postage::read_schedule_file(file);
    programs_.emplace(name, postage::RankProgram(postage::schedule_along(tree), rank_));
  }
}

bool Collectives::run(const std::string& name, const double* send, std::size_t send_count, double* receive,
                      std::size_t receive_count) {
  const auto program = programs_.find(name);
  if (program == programs_.end()) {
    return false;
  }
  program->second.run(*transport_, {.send = std::as_bytes(std::span(send, send_count)),
                                    .receive = std::as_writable_bytes(std::span(receive, receive_count))});
  return true;
}

void Collectives::scatterv(const double* all, double* own, const Blocks& blocks) {
  const int count = blocks.counts[static_cast<std::size_t>(rank_)];
  const auto sent = static_cast<std::size_t>(rank_ == 0 ? blocks.total : 0);
  if (!run("scatterv", all, sent, own, static_cast<std::size_t>(count))) {
    MPI_Scatterv(all, blocks.counts.data(), blocks.offsets.data(), MPI_DOUBLE, own, count, MPI_DOUBLE, 0,
                 communicator_);
  }
}

void Collectives::gatherv(const double* own, double* all, const Blocks& blocks) {
  const int count = blocks.counts[static_cast<std::size_t>(rank_)];
  const auto received = static_cast<std::size_t>(rank_ == 0 ? blocks.total : 0);
  if (!run("gatherv", own, static_cast<std::size_t>(count), all, received)) {
    MPI_Gatherv(own, count, MPI_DOUBLE, all, blocks.counts.data(), blocks.offsets.data(), MPI_DOUBLE, 0, communicator_);
  }
}

void Collectives::bcast(double* numbers, int count) {
  const auto all = static_cast<std::size_t>(count);
  if (run("bcast", nullptr, 0, numbers, all)) {
    return;
  }
  if (bcast_.empty()) {
    MPI_Bcast(numbers, count, MPI_DOUBLE, 0, communicator_);
    return;
  }
  const std::size_t colon = bcast_.find(':');
  const postage::Bytes segment = colon == std::string::npos ? 0 : std::stoll(bcast_.substr(colon + 1));
  const std::string algorithm = bcast_.substr(0, colon);
  postage_->bcast(numbers, count, MPI_DOUBLE, 0, {.algorithm = algorithm, .segment_bytes = segment});
}

}  // namespace matmul
