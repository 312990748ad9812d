#include "report/assets.hpp"
#include "report/message_curves.hpp"

#include <postage/report/network_view.hpp>
#include <postage/report/report.hpp>

namespace postage {
namespace {

void replace_once(std::string& text, std::string_view mark, std::string_view by) {
  const auto at = text.find(mark);
  text.replace(at, mark.size(), by);
}

/// JSON inside a script element: "</script>" or "<!--" in a name must not end it.
std::string as_script_data(const Json& value) {
  std::string text;
  for (const char c : value.dump()) {
    if (c == '<') {
      text += "\\u003c";
    } else {
      text += c;
    }
  }
  return text;
}

Json summaries_of(const Validation& validation) {
  Json list = Json::array();
  for (const ErrorSummary& s : summarise_errors(validation.rows)) {
    list.push_back({{"model", s.model},
                    {"collective", s.collective},
                    {"algorithm", s.algorithm},
                    {"rows", s.errors.count},
                    {"median", s.errors.median},
                    {"p95", s.errors.percentile95},
                    {"max", s.errors.maximum},
                    {"within", s.errors.within_tenth},
                    {"bias", s.errors.bias}});
  }
  return list;
}

Json data_of(const ReportInput& input) {
  Json data{{"platforms", Json::array()},
            {"validations", Json::array()},
            {"comparisons", input.comparisons},
            {"doctor", input.doctor}};
  for (const Platform& platform : input.platforms) {
    Json value = to_json(platform);
    value["drawing"] = network_svg(network_view(platform));
    value["curves"] = message_curves(platform);
    value["units"] = parameter_units(platform);
    data["platforms"].push_back(std::move(value));
  }
  for (const Validation& validation : input.validations) {
    Json value = to_json(validation);
    value["summaries"] = summaries_of(validation);
    data["validations"].push_back(std::move(value));
  }
  return data;
}

}  // namespace

std::string render_report(const ReportInput& input) {
  std::string page(assets::page_html);
  replace_once(page, "/*UPLOT_CSS*/", assets::uplot_css);
  replace_once(page, "/*REPORT_CSS*/", assets::report_css);
  replace_once(page, "/*UPLOT_JS*/", assets::uplot_js);
  replace_once(page, "/*REPORT_JS*/", assets::report_js);
  replace_once(page, "/*DATA*/", as_script_data(data_of(input)));
  return page;
}

}  // namespace postage
