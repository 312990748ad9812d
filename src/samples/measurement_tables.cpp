#include "samples/measurement_tables.hpp"

#include <postage/base/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <set>
#include <span>
#include <string>
#include <utility>

namespace postage {
namespace {

/// One field of several measurements, nullptr where one lacks it.
using Column = std::vector<const Json*>;

std::set<std::string> names_in(const Column& objects) {
  std::set<std::string> names;
  for (const Json* object : objects) {
    for (const JsonMember& member : object->members()) {
      names.insert(member.name);
    }
  }
  return names;
}

Column column_of(const Column& objects, const std::string& name) {
  Column column;
  for (const Json* object : objects) {
    column.push_back(object->find(name));
  }
  return column;
}

/// Json compares 0 and 0.0 as equal, which files tell apart.
bool is_same(const Json& a, const Json& b) {
  return a.is_integer() == b.is_integer() && a == b;
}

Json values_of(const Column& column) {
  Json values = Json::array();
  for (const Json* value : column) {
    values.push_back(value == nullptr ? Json() : *value);
  }
  return values;
}

struct TableParts {
  Json all = Json::object();
  Json each = Json::object();
  Json some = Json::object();
};

TableParts split(const Column& objects) {
  TableParts parts;
  for (const std::string& name : names_in(objects)) {
    const Column column = column_of(objects, name);
    const bool is_everywhere = std::none_of(column.begin(), column.end(), [](const Json* value) { return !value; });
    if (is_everywhere && column.front()->is_object()) {
      TableParts inner = split(column);
      parts.all[name] = std::move(inner.all);
      for (auto [part, own] : {std::pair{&parts.each, &inner.each}, {&parts.some, &inner.some}}) {
        if (!own->empty()) {
          (*part)[name] = std::move(*own);
        }
      }
    } else if (is_everywhere && std::all_of(column.begin(), column.end(),
                                            [&](const Json* value) { return is_same(*value, *column.front()); })) {
      parts.all[name] = *column.front();
    } else {
      (is_everywhere ? parts.each : parts.some)[name] = values_of(column);
    }
  }
  return parts;
}

Json table_of(std::span<const Json> measurements) {
  Column rows;
  for (const Json& measurement : measurements) {
    rows.push_back(&measurement);
  }
  TableParts parts = split(rows);
  Json table{{"rows", rows.size()}, {"all", std::move(parts.all)}, {"each", std::move(parts.each)}};
  if (!parts.some.empty()) {
    table["some"] = std::move(parts.some);
  }
  return table;
}

/// Bounds that are not finite are written as null.
bool holds_null(const Json& value) {
  if (value.is_object()) {
    const std::vector<JsonMember>& members = value.members();
    return std::any_of(members.begin(), members.end(), [](const JsonMember& one) { return holds_null(one.value); });
  }
  return value.is_null() || (value.is_number() && !std::isfinite(value.number()));
}

bool have_same_fields(const Json& a, const Json& b) {
  return a.is_object() == b.is_object() &&
         (!a.is_object() || std::ranges::equal(a.members(), b.members(), [](const JsonMember& x, const JsonMember& y) {
           return x.name == y.name && have_same_fields(x.value, y.value);
         }));
}

/// Where some lack a field null stands for it, so that none may have a null of its own.
std::size_t end_of_table(const std::vector<Json>& measurements, std::size_t begin) {
  const Json& first = measurements[begin];
  bool is_uniform = true;
  bool has_no_null = !holds_null(first);
  for (std::size_t i = begin + 1; i < measurements.size(); ++i) {
    const Json& next = measurements[i];
    is_uniform = is_uniform && have_same_fields(first, next);
    has_no_null = has_no_null && !holds_null(next);
    if (next["experiment"]["kind"] != first["experiment"]["kind"] || !(is_uniform || has_no_null)) {
      return i;
    }
  }
  return measurements.size();
}

/// All of them have so many values; returns how many there are.
std::size_t count_columns(const JsonField& each, std::size_t rows) {
  std::size_t columns = 0;
  each.for_each_member([&](const std::string&, const JsonField& column) {
    if (column.is_object()) {
      columns += count_columns(column, rows);
    } else if (column.is_array() && column.items().size() == rows) {
      ++columns;
    } else {
      throw column.wrong(fmt::format("an array with a value for each of the table's {} rows", rows));
    }
  });
  return columns;
}

void fill(Json& object, const Json& columns, std::size_t row, bool may_lack) {
  for (const JsonMember& column : columns.members()) {
    if (column.value.is_object()) {
      fill(object[column.name], column.value, row, may_lack);
    } else if (!may_lack || !column.value[row].is_null()) {
      object[column.name] = column.value[row];
    }
  }
}

/// Throws unless it has columns, each as long as it says: a number alone does not make a table long.
std::size_t checked_rows(const JsonField& table) {
  const auto rows = table["rows"].count<std::size_t>();
  if (!table["all"].is_object() || !table["each"].is_object()) {
    throw table.wrong("a table: its rows, and the objects all and each");
  }
  if (count_columns(table["each"], rows) + (table.has("some") ? count_columns(table["some"], rows) : 0) == 0) {
    throw table["each"].wrong("an object with a column of values");
  }
  return rows;
}

Json row_of(const JsonField& field, std::size_t row) try {
  const Json& table = field.json();
  Json measurement = table["all"];
  fill(measurement, table["each"], row, false);
  if (const Json* some = table.find("some")) {
    fill(measurement, *some, row, true);
  }
  return measurement;
} catch (const Error&) {
  throw field.wrong("a table whose columns belong to the objects in all");
}

}  // namespace

Json tables_of(const std::vector<Json>& measurements) {
  Json list = Json::array();
  for (std::size_t begin = 0; begin < measurements.size();) {
    const std::size_t end = end_of_table(measurements, begin);
    const auto rows = std::span(measurements).subspan(begin, end - begin);
    // A table is as long as its columns, and measurements that are all the same have none.
    if (std::ranges::all_of(rows, [&](const Json& row) { return is_same(row, rows.front()); })) {
      std::ranges::for_each(rows, [&](const Json& row) { list.push_back(row); });
    } else {
      list.push_back(table_of(rows));
    }
    begin = end;
  }
  return list;
}

void for_each_measurement(const JsonField& measurements, const std::function<void(const JsonField&)>& visit) {
  measurements.for_each_item([&](const JsonField& item) {
    if (!item.has("rows")) {
      return visit(item);
    }
    const std::size_t rows = checked_rows(item);
    for (std::size_t row = 0; row < rows; ++row) {
      const Json measurement = row_of(item, row);
      visit(item.made_of(measurement, fmt::format("rows/{}", row)));
    }
  });
}

}  // namespace postage
