// A model in one file, as a user of the library adds one: its type, its descriptor and its estimator. No other file of
// this program names it but in quotes.
#include <postage/estimate/estimator.hpp>
#include <postage/model/model.hpp>
#include <postage/model/table_reader.hpp>

namespace postage {
namespace {

struct ToyLink {
  Seconds fixed = 0;            ///< a
  double seconds_per_byte = 0;  ///< b
};

/// a + b*m, twice that where others share the channel.
struct Toy {
  static constexpr ModelProperties kProperties{.feels_contention = true};

  LinkTable<ToyLink> links;
  double combine_per_byte = 0;  ///< gamma, s/B
  HostOverheads host{};

  [[nodiscard]] TransferCost cost(const TransferQuestion& question) const {
    const ToyLink& link = links.at(question);
    const Seconds alone = link.fixed + link.seconds_per_byte * static_cast<double>(question.bytes);
    return {.sender_busy = question.concurrency > 1 ? 2 * alone : alone};
  }
};

Model build(const BuildRequest& request) {
  return make_model(request, Toy{.links = build_links(request, [](const GroupReader& group) {
                                   return ToyLink{group.value("a"), group.value("b")};
                                 })});
}

std::vector<ParameterDescription> parameters() {
  std::vector<ParameterDescription> list{{"a", "s", "fixed time"}, {"b", "s/B", "time of a byte"}};
  const std::vector<ParameterDescription> of_host = host_overhead_parameters();
  list.insert(list.end(), of_host.begin(), of_host.end());
  return list;
}

/// The line of half a roundtrip, for each channel.
ParameterTable estimate(const CampaignData& campaign) {
  ParameterTable table{.model = "toy", .groups = {}, .fit = {}};
  for (const ScopeData& scope : campaign.scopes) {
    const LinePiece line = fit_line(curve_of(scope));
    table.groups.push_back({scope.scope, 0, {{"a", line.intercept}, {"b", line.slope}}});
  }
  return table;
}

const bool kRegistered = [] {
  register_model({.name = "toy",
                  .title = "Toy",
                  .equation = "a + b*m",
                  .source = "this test",
                  .parameters = parameters(),
                  .example = "a=1us,b=1ns,t_0=3us",
                  .build = build,
                  .properties = Toy::kProperties,
                  .needs = {"sweeps"}});
  register_estimator({"toy", estimate});
  return true;
}();

}  // namespace
}  // namespace postage
