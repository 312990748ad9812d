#pragma once

#include <random>
#include <string>
#include <vector>

namespace postage {

/// Another text like these: bytes and stretches are changed, doubled, moved, left out, or taken from another text, and
/// numbers replaced by those at which programs err. The same for the same state of `random`, wherever it runs.
[[nodiscard]] std::string mutated(const std::vector<std::string>& corpus, std::mt19937& random);

}  // namespace postage
