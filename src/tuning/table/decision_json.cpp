#include <postage/base/files.hpp>
#include <postage/base/json_fields.hpp>
#include <postage/tuning/decision_table.hpp>

namespace postage {
namespace {

/// null for a span without an end.
template <typename Number>
Json span_to_json(const Span<Number>& span) {
  const bool is_open = span.last == std::numeric_limits<Number>::max();
  return Json::array({span.first, is_open ? Json(nullptr) : Json(span.last)});
}

/// The two ends of an array; null is no end.
std::vector<double> ends_of(const JsonField& field) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  std::vector<double> ends;
  field.for_each_item([&](const JsonField& end) { ends.push_back(end.bound(ends.empty() ? -kInfinity : kInfinity)); });
  if (ends.size() != 2) {
    throw field.wrong("an array of two ends");
  }
  return ends;
}

template <typename Number>
Span<Number> read_span(const JsonField& field, Number least) {
  const std::vector<double> ends = ends_of(field);
  constexpr auto kMost = std::numeric_limits<Number>::max();
  const auto number = [&](double end) {
    const bool is_open = end >= static_cast<double>(kMost);
    return is_open ? kMost : static_cast<Number>(end);
  };
  // Compared before they become whole numbers, which not all can: a first end of null is minus infinity.
  if (!(ends[0] >= static_cast<double>(least)) || ends[1] < ends[0]) {
    throw field.wrong("[FIRST, LAST], or [FIRST, null] without an end");
  }
  return {number(ends[0]), number(ends[1])};
}

Json interval_to_json(const Interval& interval) {
  return Json::array({interval.lower, interval.upper});
}

Interval read_interval(const JsonField& field) {
  const std::vector<double> ends = ends_of(field);
  return {ends[0], ends[1]};
}

Json choice_to_json(const DecisionChoice& choice) {
  Json value{{"algorithm", choice.algorithm}, {"library_name", choice.library_name}, {"segment", choice.segment}};
  value["parameters"] = Json::object();
  for (const auto& [name, number] : choice.parameters) {
    value["parameters"][name] = number;
  }
  return value;
}

DecisionChoice read_choice(const JsonField& field, Collective collective) {
  DecisionChoice choice{.algorithm = field["algorithm"].text(),
                        .library_name = field["library_name"].text(),
                        .segment = field["segment"].count<Bytes>()};
  field["parameters"].for_each_member(
      [&](const std::string& name, const JsonField& number) { choice.parameters[name] = number.count<Index>(); });
  try {
    if (!choice.algorithm.empty() && choice.algorithm != kDirectAlgorithm) {
      static_cast<void>(find_algorithm(collective, choice.algorithm));
    }
  } catch (const UsageError& unknown) {
    throw field["algorithm"].wrong(unknown.what());
  }
  return choice;
}

Json gain_to_json(const Gain& gain) {
  return {{"share", gain.share},
          {"interval", interval_to_json(gain.interval)},
          {"source", gain.source == GainSource::kMeasured ? "measured" : "predicted"},
          {"pairs", gain.pairs},
          {"sign_test", gain.sign_test}};
}

Gain read_gain(const JsonField& field) {
  const std::string source = field["source"].text();
  if (source != "measured" && source != "predicted") {
    throw field["source"].wrong("measured or predicted");
  }
  return {.share = field["share"].number(),
          .interval = read_interval(field["interval"]),
          .source = source == "measured" ? GainSource::kMeasured : GainSource::kPredicted,
          .pairs = field["pairs"].count<std::size_t>(),
          .sign_test = field["sign_test"].number()};
}

Json rule_to_json(const DecisionRule& rule) {
  return {{"collective", name_of(rule.collective)},
          {"nodes", span_to_json(rule.communicators.nodes)},
          {"ranks", span_to_json(rule.communicators.ranks)},
          {"bytes", span_to_json(rule.bytes)},
          {"choice", choice_to_json(rule.choice)},
          {"predicted", rule.predicted},
          {"predicted_interval", interval_to_json(rule.predicted_interval)},
          {"default_seconds", rule.default_seconds},
          {"gain", gain_to_json(rule.gain)}};
}

Collective read_collective(const JsonField& field) {
  try {
    return parse_collective(field.text());
  } catch (const UsageError& unknown) {
    throw field.wrong(unknown.what());
  }
}

DecisionRule read_rule(const JsonField& field) {
  const Collective collective = read_collective(field["collective"]);
  return {.collective = collective,
          .communicators = {read_span<std::int32_t>(field["nodes"], 1), read_span<Rank>(field["ranks"], 1)},
          .bytes = read_span<Bytes>(field["bytes"], 0),
          .choice = read_choice(field["choice"], collective),
          .predicted = field["predicted"].number(),
          .predicted_interval = read_interval(field["predicted_interval"]),
          .default_seconds = field["default_seconds"].number(),
          .gain = read_gain(field["gain"])};
}

Json cell_to_json(const DecisionCell& cell) {
  return {{"collective", name_of(cell.collective)},
          {"nodes", cell.nodes},
          {"ranks", cell.ranks},
          {"bytes", cell.bytes},
          {"choice", choice_to_json(cell.choice)},
          {"tuned_seconds", cell.tuned_seconds},
          {"default_seconds", cell.default_seconds},
          {"measured", cell.measured}};
}

DecisionCell read_cell(const JsonField& field) {
  const Collective collective = read_collective(field["collective"]);
  return {.collective = collective,
          .nodes = field["nodes"].count<std::int32_t>(),
          .ranks = field["ranks"].count<Rank>(),
          .bytes = field["bytes"].count<Bytes>(),
          .choice = read_choice(field["choice"], collective),
          .tuned_seconds = field["tuned_seconds"].number(),
          .default_seconds = field["default_seconds"].number(),
          .measured = field["measured"].truth()};
}

template <typename Item, typename ToJson>
Json list_to_json(const Item& items, const ToJson& to_json_of) {
  Json list = Json::array();
  for (const auto& item : items) {
    list.push_back(to_json_of(item));
  }
  return list;
}

/// What a reader of libraries' names throws becomes an error of the field.
template <typename Read>
auto read_name(const JsonField& field, const Read& read) {
  try {
    return read(field.text());
  } catch (const UsageError& wrong) {
    throw field.wrong(wrong.what());
  }
}

}  // namespace

Json to_json(const DecisionTable& table) {
  return {{"format", kDecisionsFormat},
          {"version", kDecisionsVersion},
          {"target", name_of(table.target())},
          {"target_version", format_version(table.version())},
          {"platform", table.platform},
          {"created", table.created},
          {"rules", list_to_json(table.rules(), rule_to_json)},
          {"dropped", list_to_json(table.dropped,
                                   [](const DroppedRule& dropped) {
                                     return Json{{"rule", rule_to_json(dropped.rule)}, {"reason", dropped.reason}};
                                   })},
          {"cells", list_to_json(table.cells, cell_to_json)}};
}

DecisionTable decisions_from_json(const Json& value, const std::filesystem::path& source) {
  check_envelope(value, kDecisionsFormat, kDecisionsVersion, source);
  const JsonField file(value, source);
  std::vector<DecisionRule> rules;
  file["rules"].for_each_item([&](const JsonField& field) { rules.push_back(read_rule(field)); });
  const TuningTarget target = read_name(file["target"], parse_tuning_target);
  const LibraryVersion version = read_name(file["target_version"], parse_library_version);
  DecisionTable table;
  try {
    table = DecisionTable(target, version, std::move(rules));
  } catch (const Error& wrong) {
    throw file["rules"].wrong(wrong.what());
  }
  table.platform = file["platform"].text();
  table.created = file["created"].text();
  file["dropped"].for_each_item([&](const JsonField& field) {
    table.dropped.push_back({read_rule(field["rule"]), field["reason"].text()});
  });
  file["cells"].for_each_item([&](const JsonField& field) { table.cells.push_back(read_cell(field)); });
  return table;
}

DecisionTable read_decisions(const std::filesystem::path& path) {
  return decisions_from_json(read_json(path), path);
}

}  // namespace postage
