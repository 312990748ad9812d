#include <postage/model/model.hpp>

#include <algorithm>

namespace postage {
namespace {

template <typename AnyModel>
bool has_rank_parameters(const AnyModel& model) {
  if constexpr (requires { model.processors; }) {
    if (std::any_of(model.processors.begin(), model.processors.end(), [](const auto& own) { return !own.empty(); })) {
      return true;
    }
  }
  if constexpr (requires { model.links.has_pairs(); }) {
    return model.links.has_pairs();
  }
  return false;
}

}  // namespace

bool depends_on_ranks(const Model& model) {
  return std::visit([](const auto& m) { return has_rank_parameters(m); }, model);
}

bool feels_contention(const Model& model) {
  return std::holds_alternative<LogGPC>(model) || std::holds_alternative<TauLop>(model) ||
         std::holds_alternative<CellPLogP>(model);
}

bool moves_in_step(const Model& model) {
  return std::holds_alternative<TauLop>(model);
}

}  // namespace postage
