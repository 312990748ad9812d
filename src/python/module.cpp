#include "python/jobs.hpp"
#include "python/platforms.hpp"

#include <postage/base/error.hpp>
#include <postage/tuning/decision_table.hpp>

namespace postage::python {
namespace {

/// Place of the rule that holds in the table's rules; None where the library's default stays.
std::optional<std::int64_t> lookup(const DecisionTable& table, const std::string& collective, Rank ranks,
                                   std::int32_t nodes, const std::string& size) {
  const DecisionRule* rule = table.lookup(parse_collective(collective), ranks, nodes, parse_bytes(size));
  return rule == nullptr ? std::nullopt : std::optional<std::int64_t>(rule - table.rules().data());
}

void add_decisions(py::module_& module) {
  py::class_<DecisionTable>(module, "DecisionTable")
      .def(py::init([](const std::string& path) { return read_decisions(path); }))
      .def("document", [](const DecisionTable& table) { return to_python(to_json(table)); })
      .def("lookup", &lookup);
}

}  // namespace
}  // namespace postage::python

PYBIND11_MODULE(_postage, module) {
  using namespace postage;
  const auto& error = pybind11::register_exception<Error>(module, "Error", PyExc_RuntimeError);
  pybind11::register_exception<UsageError>(module, "UsageError", error);
  module.attr("version") = POSTAGE_VERSION;
  python::add_platform(module);
  python::add_decisions(module);
  python::add_jobs(module);
}
