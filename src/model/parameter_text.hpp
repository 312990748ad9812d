#pragma once

#include <postage/model/model.hpp>

#include <string_view>
#include <vector>

namespace postage {

/// "[HEADER] SYMBOL=VALUE,...": the first section of a text has no header.
struct TextSection {
  std::string_view header;
  std::string_view body;
};

[[nodiscard]] std::vector<TextSection> split_sections(std::string_view text);

/// The section's scope, smallest size and parameters, o_s and o_r from o among them. Throws UsageError.
[[nodiscard]] ParameterGroup parse_section(const ModelDescriptor& model, const TextSection& section);

}  // namespace postage
