#pragma once

#include <postage/model/any_model.hpp>

namespace postage {

/// The model of the same messages, each cut into segments of at most `segment` > 0 bytes that follow one another, as
/// the middleware does it and not the algorithm (Rico-Gallego et al., Modeling Contention and Mapping Effects in
/// Multi-core Clusters, 2015, section 4):
///
///   LogGP     L + 2o + (S-1)G + (k-1)(g + (S-1)G)
///   tau-Lop   o(m) + 2 L(S, 1) + (k-1) L(S, 2), its parameter S
///   others    the first segment, and for each further one the time from one message to the next: the larger of the gap
///             and either end's time
///
/// Its cost throws UsageError for a message of tau-Lop's that has no shared buffer to go through in segments (n = 2).
[[nodiscard]] Model in_segments(const Model& model, Bytes segment);

}  // namespace postage
