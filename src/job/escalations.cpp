#include <postage/job/escalations.hpp>

#include <fmt/format.h>

namespace postage {

std::string describe_escalations(const Prediction& prediction) {
  std::string text;
  bool any_share = false;
  for (const EscalationStep& level : prediction.escalations) {
    text += (text.empty() ? "" : ", ") + format_seconds(level.seconds);
    text += level.share ? fmt::format(" in {:.3g} %", 100 * *level.share) : "";
    any_share = any_share || level.share;
  }
  if (text.empty()) {
    return "how far is not known";
  }
  text += any_share ? " of gathers" : "";
  return prediction.escalating_rounds > 1
             ? fmt::format("{}, {} rounds one after the other", text, prediction.escalating_rounds)
             : text;
}

void add_escalations(Json& json, const Prediction& prediction) {
  Json levels = Json::array();
  for (const EscalationStep& level : prediction.escalations) {
    levels.push_back({{"seconds", level.seconds}, {"share", level.share ? Json(*level.share) : Json(nullptr)}});
  }
  json["may_escalate"] = prediction.may_escalate();
  json["escalating_rounds"] = prediction.escalating_rounds;
  json["escalations"] = std::move(levels);
}

}  // namespace postage
