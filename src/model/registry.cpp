#include <postage/base/error.hpp>
#include <postage/model/model.hpp>

#include <algorithm>

namespace postage {

std::span<const ModelDescription> models() {
  static const std::vector<ModelDescription> list{
      {"hockney",
       "alpha + beta*m",
       "R. W. Hockney, Parallel Computing 20(3), 1994",
       {{"alpha", "s", "latency", ""}, {"beta", "s/B", "inverse bandwidth", ""}}},
      {"loggp",
       "o_s + L + (m-1)*G + o_r; next message after g + (m-1)*G",
       "A. Alexandrov et al., LogGP, SPAA 1995",
       {{"L", "s", "latency", ""},
        {"o_s", "s", "overhead of sending", "o"},
        {"o_r", "s", "overhead of receiving", "o"},
        {"g", "s", "gap between messages", ""},
        {"G", "s/B", "gap per byte", ""}}},
  };
  return list;
}

const ModelDescription& find_model(std::string_view name) {
  std::string valid;
  for (const ModelDescription& model : models()) {
    if (model.name == name) {
      return model;
    }
    valid += (valid.empty() ? "" : ", ") + std::string(model.name);
  }
  throw UsageError(unknown_name("model", std::string(name), valid));
}

}  // namespace postage
