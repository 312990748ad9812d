#pragma once

#include <postage/job/job.hpp>

namespace postage {

// Options that would be ignored are refused, with what to leave out: UsageError.

/// Those that none of a collective's algorithms has, or that the algorithms asked for do not take.
void check_collective_options(const JobOptions& options);

/// --root of a collective that has none.
void check_root(Collective collective, Rank root);

/// An algorithm beside --within and --among, or its parameters.
void check_node_aware(const NodeAwareOptions& node_aware, bool has_algorithm, bool has_settings);

}  // namespace postage
