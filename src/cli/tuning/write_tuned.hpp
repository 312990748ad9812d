#pragma once

#include <postage/tuning/decision_table.hpp>
#include <postage/tuning/proof.hpp>

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace postage {

/// A row for each call of a proof.
[[nodiscard]] std::string proof_table(const std::vector<ProofRow>& rows, TuningTarget target);
[[nodiscard]] Json proof_json(const ProofRow& row, TuningTarget target);

/// Writes the libraries' files of the tables into the folder, and runs every rule of those libraries that are installed
/// once; says on standard error what was written, left out and proved. Tables for SMPI and the preloaded library need
/// no files. Throws Error where a rule is not in force, after all files are written.
void write_tuned(std::span<const DecisionTable> tables, const std::filesystem::path& folder);

}  // namespace postage
