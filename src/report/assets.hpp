#pragma once

#include <string_view>

namespace postage::assets {

// The files of src/report/assets and third_party/uplot, embedded when building.
extern const std::string_view page_html;
extern const std::string_view report_css;
extern const std::string_view report_js;
extern const std::string_view uplot_js;
extern const std::string_view uplot_css;

}  // namespace postage::assets
