#include "report/page/brief.hpp"
#include "report/page/page_data.hpp"

#include <utility>

namespace postage {
namespace {

Json summary_data(const ErrorSummary& s) {
  return {{"model", s.model},
          {"collective", s.collective},
          {"algorithm", s.algorithm},
          {"rows", s.errors.count},
          {"median", brief(s.errors.median)},
          {"p95", brief(s.errors.percentile95)},
          {"worst", brief(s.errors.maximum)},
          {"within", brief(s.errors.within_tenth)},
          {"bias", brief(s.errors.bias)}};
}

}  // namespace

Json validation_data(const Validation& validation) {
  Json data{{"platform", validation.platform}, {"summaries", Json::array()}, {"rows", Json::array()}};
  for (const ErrorSummary& summary : summarise_errors(validation.rows)) {
    data["summaries"].push_back(summary_data(summary));
  }
  for (const ValidationRow& row : validation.rows) {
    data["rows"].push_back({{"collective", row.collective},
                            {"algorithm", row.algorithm},
                            {"ranks", row.ranks},
                            {"bytes", row.bytes},
                            {"segment", row.segment},
                            {"model", row.model},
                            {"predicted", brief(row.predicted)},
                            {"measured", brief({row.measured, row.measured_lower, row.measured_upper})}});
  }
  return data;
}

}  // namespace postage
