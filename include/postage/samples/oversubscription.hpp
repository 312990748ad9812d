#pragma once

#include <postage/platform/platform.hpp>

#include <span>
#include <string>

namespace postage {

/// A sentence where some node runs more ranks than it has cores: these take turns, which no model predicts. Empty where
/// none does.
[[nodiscard]] std::string tell_oversubscribed(std::span<const Node> nodes, std::span<const RankPlacement> ranks);

}  // namespace postage
