#include "tuning/lint/openmpi/rules_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace postage {
namespace {

/// Up to 5.0: the entries are walked until one is larger than what is looked up, and the one before it is taken; the
/// first one also where it is larger itself. So an entry holds from the largest up to it, to the next one.
std::vector<TunedSpan> walked(const std::vector<std::int64_t>& sizes) {
  std::vector<TunedSpan> spans;
  std::int64_t largest = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    largest = std::max(largest, sizes[i]);
    const bool is_last = i + 1 == sizes.size();
    const std::int64_t end = is_last ? kNoEnd : (i == 0 ? std::max(sizes[0], sizes[1]) : sizes[i + 1]) - 1;
    spans.push_back({i == 0 ? 0 : largest, end});
  }
  return spans;
}

/// From 6.0 on the reader makes ranges of a text file's sizes; those of communicators begin one entry too early.
std::vector<TunedSpan> shifted(const std::vector<std::int64_t>& sizes) {
  std::vector<TunedSpan> spans;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    spans.push_back({i == 0 ? 0 : spans.back().last + 1, i + 1 < sizes.size() ? sizes[i] - 1 : kNoEnd});
  }
  return spans;
}

std::vector<TunedSpan> to_the_next(const std::vector<std::int64_t>& sizes) {
  std::vector<TunedSpan> spans;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    spans.push_back({sizes[i], i + 1 < sizes.size() ? sizes[i + 1] - 1 : kNoEnd});
  }
  return spans;
}

template <typename Entries>
std::vector<std::int64_t> sizes_of(const Entries& entries) {
  std::vector<std::int64_t> sizes;
  for (const auto& entry : entries) {
    sizes.push_back(entry.size);
  }
  return sizes;
}

/// Communicators of one rank are coll/self's.
bool is_for_none(const TunedBlock& block) {
  return block.ranks.is_empty() || (block.size > 1 && block.ranks.last < 2);
}

void report_order(int line, std::int64_t size, const TunedSpan& span, std::string_view what, LintFindings& findings) {
  if (span.is_empty()) {
    findings.add(line, LintEffect::kRuleIgnored, "unsorted",
                 fmt::format("the entry for {} {} is never used, since the next one is not larger", what, size),
                 "sizes in ascending order, each once");
  } else if (span.first > size) {
    findings.add(line, LintEffect::kMisread, "unsorted",
                 fmt::format("the entry for {} {} is used from {} on only, since a larger one stands before it", what,
                             size, span.first),
                 "sizes in ascending order, each once");
  }
}

void set_rule_spans(TunedBlock& block, const LibraryVersion& version, LintFindings& findings) {
  const auto sizes = sizes_of(block.rules);
  const auto spans = version < kFirstMatchSince ? walked(sizes) : to_the_next(sizes);
  for (std::size_t i = 0; i < spans.size(); ++i) {
    TunedRule& rule = block.rules[i];
    rule.bytes = spans[i];
    report_order(rule.line, rule.size, rule.bytes, "message size", findings);
  }
}

void report_first_block(const TunedBlock& first, LintFindings& findings) {
  if (first.size > 2) {
    findings.add(
        first.line, LintEffect::kMisread, "missing-sizes",
        fmt::format("communicators of 2 to {} ranks take the first entry, which is for {}", first.size - 1, first.size),
        "an entry for 2 ranks before it; algorithm 0 there leaves them to the built-in decision");
  }
}

}  // namespace

void set_spans(TunedSection& section, const LibraryVersion& version, LintFindings& findings) {
  const auto sizes = sizes_of(section.blocks);
  const bool is_shifted = version >= kFirstMatchSince;
  const auto spans = is_shifted ? shifted(sizes) : walked(sizes);
  if (is_shifted && sizes.size() > 1) {
    findings.add(
        section.line, LintEffect::kMisread, "shifted",
        fmt::format("Open MPI {} takes each entry of {} for the communicators below its size instead of from it "
                    "on",
                    format_version(version), open_mpi_collective(section.collective)),
        "JSON, which it reads as written");
  }
  for (std::size_t i = 0; i < spans.size(); ++i) {
    TunedBlock& block = section.blocks[i];
    block.ranks = spans[i];
    if (!is_shifted) {
      block.ranks = is_for_none(block) ? TunedSpan{1, 0} : block.ranks;
      report_order(block.line, block.size, block.ranks, "communicator size", findings);
    }
    set_rule_spans(block, version, findings);
  }
  if (!is_shifted && !section.blocks.empty()) {
    report_first_block(section.blocks.front(), findings);
  }
}

}  // namespace postage
