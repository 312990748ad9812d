#include "preload/files/decisions_file.hpp"

#include "preload/files/shared_text.hpp"
#include "preload/settings/agreement.hpp"

#include <postage/base/error.hpp>
#include <postage/base/files.hpp>
#include <postage/base/json.hpp>

#include <fmt/format.h>
#include <mpi.h>

#include <cstdio>
#include <exception>
#include <optional>
#include <string>
#include <utility>

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

const std::string& file_name() {
  return settings().decisions_file;
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

SharedText read_on_first_rank() {
  try {
    std::string text = read_file(file_name());
    static_cast<void>(parse(text));
    return {.text = std::move(text)};
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "postage: %s; nothing is replaced\n", failure.what());
    return {.is_missing = true};
  }
}

}  // namespace

void load_decisions() {
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const bool is_named = rank == 0 && !file_name().empty();
  const SharedText shared = share_from_first_rank(is_named ? read_on_first_rank() : SharedText{});
  loaded().is_missing = shared.is_missing;
  if (!shared.text.empty()) {
    loaded().table = parse(shared.text);
  }
}

const DecisionTable* decision_table() {
  return loaded().table ? &*loaded().table : nullptr;
}

bool are_decisions_missing() {
  return loaded().is_missing;
}

}  // namespace postage::preload
