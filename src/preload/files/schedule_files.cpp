#include "preload/files/schedule_files.hpp"

#include "preload/files/shared_text.hpp"
#include "preload/settings/agreement.hpp"

#include <postage/base/error.hpp>
#include <postage/base/files.hpp>
#include <postage/base/json.hpp>

#include <fmt/format.h>
#include <mpi.h>

#include <cstdio>
#include <exception>
#include <string>
#include <utility>
#include <vector>

namespace postage::preload {
namespace {

std::vector<CollectiveTree>& loaded_trees() {
  static std::vector<CollectiveTree> trees;
  return trees;
}

Json json_of(const std::string& text, const std::string& file) {
  try {
    return Json::parse(text);
  } catch (const Error& wrong) {
    throw Error(fmt::format("{} is not valid JSON: {}", file, wrong.what()));
  }
}

CollectiveTree parse(const std::string& text, const std::string& file) {
  CollectiveTree tree = schedule_from_json(json_of(text, file), file);
  int ranks = 1;
  PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (tree.request.ranks != ranks) {
    throw Error(fmt::format("{} is a schedule for {} ranks, and this program has {}", file, tree.request.ranks, ranks));
  }
  return tree;
}

std::string read_on_first_rank(const std::string& file) {
  try {
    std::string text = read_file(file);
    static_cast<void>(parse(text, file));
    return text;
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "postage: %s; it is not used\n", failure.what());
    return {};
  }
}

}  // namespace

void load_schedules() {
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const std::vector<std::string> files = rank == 0 ? settings().schedule_files : std::vector<std::string>{};
  int count = static_cast<int>(files.size());
  PMPI_Bcast(&count, 1, MPI_INT, 0, MPI_COMM_WORLD);
  for (int number = 0; number < count; ++number) {
    SharedText mine;
    if (rank == 0) {
      mine.text = read_on_first_rank(files[static_cast<std::size_t>(number)]);
    }
    const SharedText shared = share_from_first_rank(std::move(mine));
    if (!shared.text.empty()) {
      loaded_trees().push_back(parse(shared.text, "the schedule of rank 0"));
    }
  }
}

std::span<const CollectiveTree> schedule_trees() {
  return loaded_trees();
}

}  // namespace postage::preload
