#pragma once

#include <postage/job/job.hpp>

#include <map>
#include <string>
#include <vector>

namespace postage {

/// The options with the nodes, and the ranks on each, that options.what_if gives; without --per-node as many as are on
/// the first node of a measured platform. Throws UsageError where neither is known.
[[nodiscard]] JobOptions with_scale(JobOptions options, const Platform* measured);

/// Tables with other resources, and why others were left out.
struct ChangedTables {
  std::vector<ParameterTable> tables{};
  std::map<std::string, std::string> left_out{};
};

/// The tables, and the platform, with the resources that options.what_if changes; all of them where there is none. With
/// model "all" those that do not know a resource are left out. Throws UsageError naming a resource that is not known,
/// and those that are.
[[nodiscard]] ChangedTables changed_tables(std::vector<ParameterTable> tables, Platform& platform,
                                           const JobOptions& options);

}  // namespace postage
