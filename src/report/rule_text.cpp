#include <postage/report/rule_text.hpp>

#include <fmt/format.h>

namespace postage {

std::string choice_text(const DecisionChoice& choice) {
  std::string text = choice.algorithm;
  for (const auto& [name, value] : choice.parameters) {
    text += fmt::format(" {} {}", name, value);
  }
  return choice.segment > 0 ? text + " in " + format_bytes(choice.segment) : text;
}

}  // namespace postage
