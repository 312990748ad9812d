#pragma once

#include "python/objects.hpp"

namespace postage::python {

/// predict, explain, compare, schedule and algorithms: dictionaries of options in, dictionaries out. The package's own
/// Python makes objects of these.
void add_jobs(py::module_& module);

}  // namespace postage::python
