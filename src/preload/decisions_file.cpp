#include "preload/decisions_file.hpp"

#include <postage/base/error.hpp>
#include <postage/base/files.hpp>
#include <postage/base/json.hpp>

#include <fmt/format.h>
#include <mpi.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <optional>
#include <string>

namespace postage::preload {
namespace {

struct Loaded {
  std::optional<DecisionTable> table{};
  bool is_missing = false;
};

Loaded& loaded() {
  static Loaded only;
  return only;
}

const char* file_name() {
  const char* const name = std::getenv("POSTAGE_DECISIONS");
  return name != nullptr ? name : "";
}

Json json_of(const std::string& text) {
  try {
    return Json::parse(text);
  } catch (const Error& wrong) {
    throw Error(fmt::format("{}: {}", file_name(), wrong.what()));
  }
}

DecisionTable parse(const std::string& text) {
  DecisionTable table = decisions_from_json(json_of(text), file_name());
  if (table.target() != TuningTarget::kPreload) {
    throw Error(fmt::format("{} has decisions for {}; postage tune --for preload makes those for this library",
                            file_name(), name_of(table.target())));
  }
  return table;
}

/// Rank 0's text; empty where there is no file, or where it is wrong.
std::string read_on_first_rank(bool& is_missing) {
  try {
    std::string text = read_file(file_name());
    static_cast<void>(parse(text));
    return text;
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "postage: %s; nothing is replaced\n", failure.what());
    is_missing = true;
  }
  return {};
}

std::string share(std::string text, bool& is_missing) {
  std::array<long long, 2> head{static_cast<long long>(text.size()), is_missing ? 1 : 0};
  PMPI_Bcast(head.data(), 2, MPI_LONG_LONG, 0, MPI_COMM_WORLD);
  is_missing = head[1] != 0;
  text.resize(static_cast<std::size_t>(head[0]));
  if (!text.empty()) {
    PMPI_Bcast(text.data(), static_cast<int>(text.size()), MPI_CHAR, 0, MPI_COMM_WORLD);
  }
  return text;
}

}  // namespace

void load_decisions() {
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  bool is_missing = false;
  std::string text;
  if (rank == 0 && *file_name() != '\0') {
    text = read_on_first_rank(is_missing);
  }
  text = share(std::move(text), is_missing);
  loaded().is_missing = is_missing;
  if (!text.empty()) {
    loaded().table = parse(text);
  }
}

const DecisionTable* decision_table() {
  return loaded().table ? &*loaded().table : nullptr;
}

bool are_decisions_missing() {
  return loaded().is_missing;
}

}  // namespace postage::preload
