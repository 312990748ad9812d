// The table of models in docs/models.md is what the descriptors say. With POSTAGE_UPDATE=1 in the environment the test
// writes it.
#include <postage/model/model.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

namespace postage {
namespace {

constexpr const char* kPage = POSTAGE_DOCS "/models.md";
constexpr std::string_view kHeader = "| model | one message of m bytes | parameters | source |\n|---|---|---|---|\n";

/// "L [s]", "g(m) [s]", "C(m, n) [s]"; in brackets where the model can do without.
std::string text_of(const ParameterDescription& parameter) {
  std::string text(parameter.symbol);
  if (parameter.shape == ParameterShape::kCurve) {
    text += "(m)";
  } else if (parameter.shape == ParameterShape::kSurface) {
    text += fmt::format("(m, {})", parameter.over);
  }
  text += parameter.unit == "1" ? "" : fmt::format(" [{}]", parameter.unit);
  return parameter.required ? text : "(" + text + ")";
}

std::string table_of_models() {
  std::string table(kHeader);
  for (const ModelDescriptor* model : models()) {
    std::string parameters;
    for (const ParameterDescription& parameter : model->parameters) {
      if (parameter.symbol != "gamma") {
        parameters += (parameters.empty() ? "" : ", ") + text_of(parameter);
      }
    }
    table += fmt::format("| `{}` | {} | {} | {} |\n", model->name, model->equation, parameters, model->source);
  }
  return table;
}

/// The page, and where in it the table is.
struct Page {
  std::string text;
  std::size_t begin = 0;
  std::size_t size = 0;
};

Page read_page() {
  std::ifstream file(kPage);
  Page page{.text = {std::istreambuf_iterator<char>(file), {}}};
  page.begin = page.text.find(kHeader);
  if (page.begin != std::string::npos) {
    page.size = page.text.find("\n\n", page.begin) + 1 - page.begin;
  }
  return page;
}

TEST(Documentation, HasTheTableOfModels) {
  Page page = read_page();
  ASSERT_NE(page.begin, std::string::npos) << kPage << " has no table that begins with\n" << kHeader;
  if (std::getenv("POSTAGE_UPDATE") != nullptr) {
    std::ofstream(kPage) << page.text.replace(page.begin, page.size, table_of_models());
    page = read_page();
  }
  EXPECT_EQ(page.text.substr(page.begin, page.size), table_of_models())
      << "run this test with POSTAGE_UPDATE=1 to write the table";
}

}  // namespace
}  // namespace postage
