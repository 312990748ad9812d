#include "tuning/prove/expected_names.hpp"

#include <fmt/format.h>

#include <cctype>

namespace postage {
namespace {

std::string capital(std::string_view name) {
  std::string text(name);
  text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  return text;
}

}  // namespace

ExpectedNames expected_names(TuningTarget target, Collective collective, std::string_view library_name) {
  const std::string_view name = name_of(collective);
  if (target == TuningTarget::kOpenMpi) {
    return {fmt::format("{} {}", name, library_name)};
  }
  if (library_name.starts_with("nb+")) {
    return {fmt::format("MPIR_{}_allcomm_nb", capital(name)), fmt::format("MPIR_TSP_I{}_sched_intra_tree", name)};
  }
  return {fmt::format("MPIR_{}_intra_{}", capital(name), library_name)};
}

}  // namespace postage
