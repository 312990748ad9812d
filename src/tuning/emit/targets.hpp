#pragma once

#include "tuning/emit/blocks.hpp"

#include <postage/tuning/emit.hpp>

#include <string>
#include <utility>
#include <vector>

namespace postage {

/// A variable that makes a library read its files, for jobs on some numbers of nodes. "@" in a value is the folder.
struct EmittedSetting {
  Span<std::int32_t> nodes{1};
  std::string name{};
  std::string value{};
};

/// What one library gets.
struct EmittedTarget {
  std::vector<EmittedFile> files{};
  std::vector<EmittedSetting> settings{};
  std::vector<std::string> notes{};
  std::vector<std::string> installation{};  ///< paragraphs of the README
};

// One function a library; each throws UsageError for releases that it does not know.
[[nodiscard]] EmittedTarget emit_open_mpi(const DecisionTable& table);
[[nodiscard]] EmittedTarget emit_mpich(const DecisionTable& table);
[[nodiscard]] EmittedTarget emit_ucc(const DecisionTable& table);
[[nodiscard]] EmittedTarget emit_intel_mpi(const DecisionTable& table);

/// "", or "-2-nodes", "-2-8-nodes", "-2-and-more-nodes": the end of a file's name where files differ by nodes.
[[nodiscard]] std::string nodes_suffix(const Span<std::int32_t>& nodes);

/// env.sh, the modulefile and the README.
[[nodiscard]] std::vector<EmittedFile> emit_scripts(std::span<const DecisionTable> tables,
                                                    std::span<const EmittedTarget> targets, const EmitOptions& options);

/// Values of a rule's choice.
[[nodiscard]] Bytes segment_of(const EmittedRange& range);
[[nodiscard]] Index fan_out_of(const EmittedRange& range);

}  // namespace postage
