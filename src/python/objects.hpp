#pragma once

// pybind11's headers take seconds to compile: few sources include them, and only by this header.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wshadow"
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#pragma GCC diagnostic pop

#include <postage/base/json.hpp>
#include <postage/job/job.hpp>
#include <postage/job/schedules.hpp>

namespace postage::python {

namespace py = pybind11;

/// Dictionaries, lists, texts, numbers, True, False and None. Infinite numbers stay infinite.
[[nodiscard]] py::object to_python(const Json& value);

/// Of lists, tuples and arrays of whole numbers, nested to any depth. Throws UsageError for anything else.
[[nodiscard]] Json counts_from_python(const py::handle& value);

/// Options by the names of their command-line counterparts; those that are missing keep their defaults. Throws
/// py::type_error naming one of a wrong type.
[[nodiscard]] JobOptions job_options(const py::dict& given);
[[nodiscard]] ScheduleOptions schedule_options(const py::dict& given);

/// A NumPy array of its own memory.
template <typename Number>
[[nodiscard]] py::array_t<Number> array_of(const std::vector<Number>& values) {
  return py::array_t<Number>(static_cast<py::ssize_t>(values.size()), values.data());
}

}  // namespace postage::python
