#include <postage/base/error.hpp>
#include <postage/base/files.hpp>
#include <postage/base/json_fields.hpp>
#include <postage/validate/accuracy_report.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace postage {
namespace {

AccuracyPoint read_point(const JsonField& field) {
  AccuracyPoint point{.platform = field["platform"].text(),
                      .placement = field["placement"].text(),
                      .collective = field["collective"].text(),
                      .algorithm = field["algorithm"].text(),
                      .ranks = field["P"].count<std::int32_t>(),
                      .root = field["root"].count<std::int32_t>(),
                      .bytes = field["bytes"].count<Bytes>(),
                      .segment = field["segment"].count<Bytes>(),
                      .measured = field["measured"].number(),
                      .scatter = field["scatter"].number()};
  field["predicted"].for_each_member(
      [&](const std::string& model, const JsonField& seconds) { point.predicted[model] = seconds.number(); });
  if (field.has("intervals")) {
    field["intervals"].for_each_member([&](const std::string& model, const JsonField& ends) {
      std::vector<double> both;
      ends.for_each_item([&](const JsonField& end) { both.push_back(end.number()); });
      if (both.size() != 2) {
        throw ends.wrong("a lower and an upper end");
      }
      point.intervals[model] = {both[0], both[1]};
    });
  }
  if (field.has("noise")) {
    const JsonField noise = field["noise"];
    point.noise = {{noise["lower"].number(), noise["upper"].number()}, noise["repeated"].number()};
  }
  if (!(point.measured > 0)) {
    throw field["measured"].wrong("above 0");
  }
  return point;
}

}  // namespace

Json to_json(const AccuracyReport& report) {
  Json platforms = Json::array();
  for (const auto& [name, title] : report.platforms) {
    platforms.push_back({{"name", name}, {"title", title}});
  }
  Json points = Json::array();
  for (const AccuracyPoint& point : report.points) {
    points.push_back(to_json(point));
  }
  Json library = Json::array();
  for (const LibraryPoint& point : report.library_points) {
    library.push_back(
        {{"ours", to_json(point.ours)}, {"algorithm", point.library_algorithm}, {"seconds", point.library}});
  }
  Json models = Json::array();
  for (const std::string& model : models_of(report.points)) {
    models.push_back(to_json(accuracy_of(report.points, model)));
  }
  return {{"format", kAccuracyFormat},   {"version", kAccuracyVersion}, {"platforms", std::move(platforms)},
          {"models", std::move(models)}, {"points", std::move(points)}, {"library", std::move(library)},
          {"left_out", report.left_out}};
}

AccuracyReport accuracy_from_json(const Json& value, const std::filesystem::path& source) {
  check_envelope(value, kAccuracyFormat, kAccuracyVersion, source);
  const JsonField file(value, source);
  AccuracyReport report;
  file["platforms"].for_each_item(
      [&](const JsonField& field) { report.platforms.emplace_back(field["name"].text(), field["title"].text()); });
  file["points"].for_each_item([&](const JsonField& field) { report.points.push_back(read_point(field)); });
  file["library"].for_each_item([&](const JsonField& field) {
    report.library_points.push_back({read_point(field["ours"]), field["algorithm"].text(), field["seconds"].number()});
  });
  file["left_out"].for_each_item([&](const JsonField& field) { report.left_out.push_back(field.text()); });
  return report;
}

void append(AccuracyReport& all, AccuracyReport more) {
  const auto move_into = [](auto& list, auto& items) {
    list.insert(list.end(), std::make_move_iterator(items.begin()), std::make_move_iterator(items.end()));
  };
  move_into(all.platforms, more.platforms);
  move_into(all.points, more.points);
  move_into(all.library_points, more.library_points);
  move_into(all.left_out, more.left_out);
}

bool has_platform(const AccuracyReport& report, const std::string& platform) {
  return std::any_of(report.platforms.begin(), report.platforms.end(),
                     [&](const auto& known) { return known.first == platform; });
}

AccuracyReport read_reports(const std::vector<std::string>& files) {
  AccuracyReport all;
  for (const std::string& file : files) {
    AccuracyReport one = accuracy_from_json(read_json(file), file);
    for (const auto& [name, title] : one.platforms) {
      if (has_platform(all, name)) {
        throw UsageError(fmt::format("{} has results of {} again; give each platform's results once", file, name));
      }
    }
    append(all, std::move(one));
  }
  return all;
}

}  // namespace postage
