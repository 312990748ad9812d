#pragma once

#include <postage/base/json_fields.hpp>

#include <functional>
#include <vector>

namespace postage {

/// Measurements as a samples file holds them: neighbours of one kind of experiment as one table, a third of the text,
/// others as they are. A table is {"rows": n, "all": ..., "each": ..., "some": ...}: `all` is a measurement with the
/// fields that are the same in all n; `each` and `some` have, in the place of every other field, an array of n values.
/// In `some`, which is left out where it is empty, null stands for a field that the measurement lacks. Nothing is
/// rounded. O(size of the measurements).
[[nodiscard]] Json tables_of(const std::vector<Json>& measurements);

/// Calls `visit` with each measurement of such a list, in the order in which tables_of got them; the path of one in a
/// table ends in its row. Throws UsageError naming the table or the column that is wrong.
void for_each_measurement(const JsonField& measurements, const std::function<void(const JsonField&)>& visit);

}  // namespace postage
