#pragma once

#include "python/objects.hpp"

namespace postage::python {

/// Platform files: their document, their parameters and their measured points.
void add_platform(py::module_& module);

}  // namespace postage::python
