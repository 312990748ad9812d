#pragma once

#include <postage/base/json_fields.hpp>
#include <postage/samples/samples.hpp>

namespace postage {

[[nodiscard]] Json to_json(const Experiment& experiment);
[[nodiscard]] Experiment read_experiment(const JsonField& field);

// One measurement as it stands in a samples file: ranks send theirs to rank 0 in this form.
[[nodiscard]] Json to_json(const Measurement& measurement);
[[nodiscard]] Measurement read_measurement(const JsonField& field);

[[nodiscard]] Json to_json(const Control& control);
[[nodiscard]] Control read_control(const JsonField& field);

}  // namespace postage
