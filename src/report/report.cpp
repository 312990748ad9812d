#include "report/assets.hpp"
#include "report/page/brief.hpp"
#include "report/page/page_data.hpp"

#include <postage/report/report.hpp>
#include <postage/report/summary.hpp>

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

/// Of what `compare --json` printed, what the charts show.
Json comparison_data(const Json& lists) {
  Json rows = Json::array();
  for (const Json& list : lists) {
    for (const Json& row : list) {
      rows.push_back({{"collective", row["collective"]},
                      {"algorithm", row["algorithm"]},
                      {"ranks", row["P"]},
                      {"model", row["model"]},
                      {"bytes", row["bytes"]},
                      {"seconds", brief(row["seconds"].number())}});
    }
  }
  return rows;
}

template <typename Item, typename ToData>
Json list_of(const std::vector<Item>& items, const ToData& to_data) {
  Json list = Json::array();
  for (const Item& item : items) {
    list.push_back(to_data(item));
  }
  return list;
}

Json summary_of(const ReportInput& input) {
  return list_of(report_summary(input), [](const SummaryLine& line) {
    return Json::array({line.label, line.value, line.text});
  });
}

Json page_data(const ReportInput& input) {
  return {{"summary", summary_of(input)},
          {"platforms", list_of(input.platforms, platform_data)},
          {"validations", list_of(input.validations, validation_data)},
          {"decisions", list_of(input.decisions, decision_data)},
          {"gains", list_of(input.gains, [](const PreloadGains& gains) { return to_json(gains); })},
          {"profiles", Json(input.profiles)},
          {"comparisons", comparison_data(input.comparisons)},
          {"doctor", input.doctor}};
}

}  // namespace

std::string render_report(const ReportInput& input) {
  std::string page(assets::page_html);
  replace_once(page, "/*UPLOT_CSS*/", assets::uplot_css);
  replace_once(page, "/*REPORT_CSS*/", assets::report_css);
  replace_once(page, "/*UPLOT_JS*/", assets::uplot_js);
  std::string script;
  for (const std::string_view part : {assets::elements_js, assets::charts_js, assets::platform_js, assets::maps_js,
                                      assets::tree_js, assets::report_js}) {
    script += part;
  }
  replace_once(page, "/*REPORT_JS*/", script);
  replace_once(page, "/*DATA*/", as_script_data(page_data(input)));
  return page;
}

}  // namespace postage
