#include "tuning/lint/environment/open_mpi_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

namespace postage {
namespace {

/// Of all releases since 4.0 and of their usual additions.
constexpr std::array<std::string_view, 21> kCollComponents{
    "accelerator", "acoll", "adapt", "basic",      "cuda",     "demo", "fca",  "ftagree", "han", "hcoll", "inter",
    "libnbc",      "ml",    "self",  "monitoring", "portals4", "sm",   "sync", "tuned",   "ucc", "xhc"};
/// A message's header has to fit.
constexpr std::int64_t kLeastEagerLimit = 56;

std::vector<std::string> components_of(std::string_view list) {
  std::vector<std::string> names;
  std::istringstream words{std::string(list.substr(list.starts_with('^') ? 1 : 0))};
  for (std::string word; std::getline(words, word, ',');) {
    names.push_back(word);
  }
  return names;
}

void abort(const Assignment& one, std::string check, std::string what, std::string instead, LintFindings& findings) {
  findings.add(one.line, LintEffect::kAborts, std::move(check), std::move(what) + ": MPI_Init aborts",
               std::move(instead));
}

void check_components(const Assignment& one, LintFindings& findings) {
  const std::vector<std::string> names = components_of(one.value);
  for (const std::string& name : names) {
    if (name.find('^') != std::string::npos) {
      abort(one, "component", fmt::format("'{}' in '{}' may stand at the beginning only", name, one.value),
            "a list of what to use, or '^' and a list of what to leave out", findings);
    } else if (!one.value.starts_with('^') && std::ranges::find(kCollComponents, name) == kCollComponents.end()) {
      abort(one, "component", fmt::format("there is no component '{}' of coll", name),
            "what `ompi_info` lists as MCA coll, with commas and no spaces between them", findings);
    }
  }
  for (const char* needed : {"basic", "libnbc"}) {
    if (!lists_component(one.value, needed)) {
      abort(one, "component",
            fmt::format("coll = {} leaves out {}, which alone has some of the collectives", one.value, needed),
            "basic, libnbc and self beside others", findings);
    }
  }
}

/// strtoll and one letter, as mca_base_var.c reads a number.
std::optional<std::int64_t> mca_number(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, mistake] = std::from_chars(text.data(), text.data() + text.size(), value);
  std::string unit(end, text.data() + text.size());
  std::ranges::transform(unit, unit.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (unit.ends_with('b')) {
    unit.pop_back();
  }
  constexpr std::string_view kUnits = "kmgt";
  if (mistake != std::errc{} || unit.size() > 1 || (!unit.empty() && kUnits.find(unit) == std::string_view::npos)) {
    return std::nullopt;
  }
  const std::size_t power = unit.empty() ? 0 : kUnits.find(unit) + 1;
  for (std::size_t i = 0; i < power; ++i) {
    value = std::clamp<std::int64_t>(value, -(1LL << 50), 1LL << 50) * 1024;
  }
  return value;
}

void check_eager_limit(const Assignment& one, LintFindings& findings) {
  const auto bytes = mca_number(one.value);
  if (!bytes) {
    abort(one, "number", fmt::format("'{}' is no size, and taken as 0, which is too small for a header", one.value),
          "bytes like 8192 or 8K", findings);
  } else if (*bytes >= 0 && *bytes < kLeastEagerLimit) {
    abort(one, "eager-limit", fmt::format("an eager limit of {} is too small for a header", one.value),
          fmt::format("at least {}", kLeastEagerLimit), findings);
  }
}

bool is_number(std::string_view name) {
  const std::string_view collective = name.substr(std::min(name.find("_algorithm_"), name.size()));
  return (name.starts_with("coll_tuned_") &&
          (collective.ends_with("_segmentsize") || collective.ends_with("_fanout") || collective.ends_with("_radix") ||
           collective.ends_with("_max_requests"))) ||
         (name.starts_with("coll_") && name.ends_with("_priority")) ||
         (name.starts_with("coll_han_") && name.ends_with("_segsize"));
}

bool is_switch(std::string_view name) {
  return name == "coll_tuned_use_dynamic_rules" || name.starts_with("coll_han_use_");
}

bool is_switch_value(std::string_view value) {
  constexpr std::array<std::string_view, 10> kWords{"t", "true",  "enabled",  "yes", "y",
                                                    "f", "false", "disabled", "no",  "n"};
  std::int64_t number = 0;
  const bool is_hexadecimal = value.starts_with("0x") || value.starts_with("0X");
  const std::string_view digits = value.substr(is_hexadecimal ? 2 : 0);
  const auto [end, mistake] =
      std::from_chars(digits.data(), digits.data() + digits.size(), number, is_hexadecimal ? 16 : 10);
  return std::ranges::find(kWords, value) != kWords.end() ||
         (mistake == std::errc{} && end == digits.data() + digits.size());
}

}  // namespace

bool lists_component(std::string_view list, std::string_view component) {
  const std::vector<std::string> names = components_of(list);
  return list.starts_with('^') != (std::ranges::find(names, component) != names.end());
}

void lint_open_mpi_value(const Assignment& one, std::string_view name, LintFindings& findings) {
  if (name == "coll" && !one.value.empty()) {
    check_components(one, findings);
  } else if (name.starts_with("btl_") && name.ends_with("_eager_limit")) {
    check_eager_limit(one, findings);
  } else if (is_number(name) && !mca_number(one.value)) {
    findings.add(one.line, LintEffect::kMisread, "number",
                 fmt::format("'{}' is no number: what cannot be read is taken as 0 or left out", one.value),
                 "a whole number, also with K, M or G behind it");
  } else if (is_switch(name) && !one.value.empty() && !is_switch_value(one.value)) {
    findings.add(one.line, LintEffect::kNoEffect, "value",
                 fmt::format("'{}' is no value of {}: a message says so, and it stays off", one.value, name),
                 "1 or 0, true or false");
  }
}

}  // namespace postage
