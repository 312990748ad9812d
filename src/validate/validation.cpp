
#include <postage/base/files.hpp>
#include <postage/base/json_fields.hpp>
#include <postage/validate/validation.hpp>

#include <algorithm>
#include <limits>

namespace postage {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Json row_to_json(const ValidationRow& row) {
  Json value{{"kind", row.collective == "p2p" ? "p2p" : "collective"},
             {"collective", row.collective},
             {"algorithm", row.algorithm},
             {"P", row.ranks},
             {"bytes", row.bytes},
             {"segment", row.segment},
             {"root", row.root},
             {"source", row.source},
             {"target", row.target},
             {"model", row.model},
             {"predicted", row.predicted},
             {"lower", row.lower},
             {"upper", row.upper},
             {"measured", row.measured},
             {"measured_lower", row.measured_lower},
             {"measured_upper", row.measured_upper},
             {"repetitions", row.repetitions},
             {"precise", row.precise},
             {"error", row.error()}};
  if (!row.strides.is_contiguous()) {
    value["run"] = row.strides.run;
    value["stride"] = row.strides.stride;
  }
  return value;
}

ValidationRow read_row(const JsonField& field) {
  ValidationRow row{.collective = field["collective"].text(),
                    .algorithm = field["algorithm"].text(),
                    .ranks = field["P"].count<std::int32_t>(),
                    .bytes = field["bytes"].count<Bytes>(),
                    .segment = field["segment"].count<Bytes>(),
                    .root = field["root"].count<std::int32_t>(),
                    .source = field["source"].count<std::int32_t>(),
                    .target = field["target"].count<std::int32_t>(),
                    .model = field["model"].text(),
                    .predicted = field["predicted"].number(),
                    .lower = field["lower"].bound(-kInfinity),
                    .upper = field["upper"].bound(kInfinity),
                    .measured = field["measured"].number(),
                    .measured_lower = field["measured_lower"].bound(-kInfinity),
                    .measured_upper = field["measured_upper"].bound(kInfinity),
                    .repetitions = field["repetitions"].count<std::size_t>(),
                    .precise = field["precise"].truth()};
  if (field.has("stride")) {
    row.strides = {field["run"].count<Bytes>(), field["stride"].count<Bytes>()};
  }
  if (!(row.measured > 0)) {
    throw field["measured"].wrong("above 0");
  }
  return row;
}

/// What a row counts to.
struct Subject {
  std::string model;
  std::string collective{};
  std::string algorithm{};
  bool operator==(const Subject&) const = default;
};

Subject subject_of(const ValidationRow& row, SummaryScope scope) {
  Subject subject{row.model};
  if (scope != SummaryScope::kModel) {
    subject.collective = row.collective;
  }
  if (scope == SummaryScope::kAlgorithm) {
    subject.algorithm = row.algorithm;
  }
  return subject;
}

}  // namespace

Json to_json(const Validation& validation) {
  Json rows = Json::array();
  for (const ValidationRow& row : validation.rows) {
    rows.push_back(row_to_json(row));
  }
  return {{"format", kValidationFormat},
          {"version", kValidationVersion},
          {"platform",
           {{"name", validation.platform},
            {"implementation", validation.implementation},
            {"is_virtual", validation.is_virtual}}},
          {"rows", std::move(rows)}};
}

Validation validation_from_json(const Json& value, const std::filesystem::path& source) {
  check_envelope(value, kValidationFormat, kValidationVersion, source);
  const JsonField file(value, source);
  Validation validation{.platform = file["platform"]["name"].text(),
                        .implementation = file["platform"]["implementation"].text(),
                        .is_virtual = file["platform"]["is_virtual"].truth()};
  file["rows"].for_each_item([&](const JsonField& row) { validation.rows.push_back(read_row(row)); });
  return validation;
}

std::vector<ErrorSummary> summarise_errors(std::span<const ValidationRow> rows, SummaryScope scope) {
  struct Group {
    Subject subject;
    std::vector<double> errors;
  };
  std::vector<Group> groups;
  for (const ValidationRow& row : rows) {
    const Subject subject = subject_of(row, scope);
    auto group = std::find_if(groups.begin(), groups.end(), [&](const Group& g) { return g.subject == subject; });
    if (group == groups.end()) {
      group = groups.insert(groups.end(), {subject, {}});
    }
    group->errors.push_back(row.error());
  }
  std::vector<ErrorSummary> summaries;
  summaries.reserve(groups.size());
  for (const Group& group : groups) {
    const Subject& subject = group.subject;
    summaries.push_back({.model = subject.model,
                         .collective = subject.collective,
                         .algorithm = subject.algorithm,
                         .errors = error_statistics(group.errors)});
  }
  return summaries;
}

}  // namespace postage
