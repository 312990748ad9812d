#pragma once

#include <string_view>

namespace postage::assets {

// The files of src/report/assets and third_party/uplot, embedded when building.
extern const std::string_view page_html;
extern const std::string_view report_css;
// The page's script, in the order in which it is put together.
extern const std::string_view elements_js;
extern const std::string_view charts_js;
extern const std::string_view platform_js;
extern const std::string_view maps_js;
extern const std::string_view tree_js;
extern const std::string_view report_js;
extern const std::string_view uplot_js;
extern const std::string_view uplot_css;

}  // namespace postage::assets
