#include <postage/base/error.hpp>
#include <postage/measure/collective_run.hpp>
#include <postage/schedule/tree_file.hpp>

#include <fmt/format.h>

#include <charconv>

namespace postage {
namespace {

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (;;) {
    const auto at = text.find(separator);
    parts.emplace_back(text.substr(0, at));
    if (at == std::string_view::npos) {
      return parts;
    }
    text.remove_prefix(at + 1);
  }
}

Rank parse_rank(std::string_view text) {
  Rank rank = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), rank);
  if (error != std::errc{} || end != text.data() + text.size() || rank < 0) {
    throw UsageError(fmt::format("'{}' is not a rank; write a number of at least 0", text));
  }
  return rank;
}

/// Of a schedule file: its root, and its size where none is given.
void take_schedule_file(CollectiveRun& run) {
  const CollectiveTree tree = read_schedule_file(run.algorithm);
  if (tree.collective != run.collective) {
    throw UsageError(
        fmt::format("{} holds a {}, not a {}", run.algorithm, name_of(tree.collective), name_of(run.collective)));
  }
  run.root = tree.request.root;
  run.segment_bytes = run.segment_bytes > 0 ? run.segment_bytes : tree.request.segment_bytes;
  if (run.bytes == 0 && tree.request.block_bytes.empty()) {
    run.bytes = tree.request.bytes;
  }
}

}  // namespace

CollectiveRun collective_run_of(const Experiment& experiment) {
  CollectiveRun run{.collective = parse_collective(experiment.collective),
                    .algorithm = experiment.algorithm,
                    .bytes = experiment.bytes,
                    .segment_bytes = experiment.segment_bytes,
                    .root = experiment.root,
                    .ranks = experiment.ranks,
                    .steps = experiment.steps};
  if (experiment.stride > 0) {
    run.strides = {experiment.run_bytes, experiment.stride};
  }
  return run;
}

CollectiveRun parse_collective_run(std::string_view text) {
  const std::vector<std::string> words = split(text, ':');
  if (words.size() < 3) {
    throw UsageError(fmt::format(
        "'{}' is not COLLECTIVE:ALGORITHM:SIZE[:seg=SIZE][:root=RANK][:ranks=P][:steps=N][:stride=SIZE][:run=SIZE], "
        "like bcast:pipeline:1M:seg=8K",
        text));
  }
  CollectiveRun run{.collective = parse_collective(words[0]), .bytes = parse_bytes(words[2])};
  const bool has_own_name = words[1] == kLibraryAlgorithm || is_schedule_file(words[1]);
  run.algorithm = has_own_name ? words[1] : find_algorithm(run.collective, words[1]).name;
  std::string_view stride = "0";
  std::string_view piece = kUsualRun;
  for (std::size_t i = 3; i < words.size(); ++i) {
    const std::string_view word = words[i];
    if (word.starts_with("seg=")) {
      run.segment_bytes = parse_bytes(word.substr(4));
    } else if (word.starts_with("root=")) {
      run.root = parse_rank(word.substr(5));
    } else if (word.starts_with("ranks=")) {
      run.ranks = parse_rank(word.substr(6));
    } else if (word.starts_with("steps=")) {
      run.steps = parse_rank(word.substr(6));
    } else if (word.starts_with("stride=")) {
      stride = word.substr(7);
    } else if (word.starts_with("run=")) {
      piece = word.substr(4);
    } else {
      throw UsageError(fmt::format(
          "'{}' in '{}' is none of seg=SIZE, root=RANK, ranks=P, steps=N, stride=SIZE and run=SIZE", word, text));
    }
  }
  if (run.is_library() && (run.ranks > 0 || run.steps > 0)) {
    throw UsageError(fmt::format(
        "{}: the library's own collective is timed whole and on all ranks; leave out ranks= and steps=", text));
  }
  if (is_schedule_file(run.algorithm)) {
    take_schedule_file(run);
  }
  run.strides = parse_strides(stride, piece);
  check_pieces(run.strides, run.bytes);
  return run;
}

std::string format_collective_run(const CollectiveRun& run) {
  std::string text = fmt::format("{}:{}:{}", name_of(run.collective), run.algorithm, format_bytes(run.bytes));
  if (run.segment_bytes > 0) {
    text += ":seg=" + format_bytes(run.segment_bytes);
  }
  if (run.root != 0) {
    text += fmt::format(":root={}", run.root);
  }
  if (run.ranks > 0) {
    text += fmt::format(":ranks={}", run.ranks);
  }
  if (run.steps > 0) {
    text += fmt::format(":steps={}", run.steps);
  }
  if (!run.strides.is_contiguous()) {
    text += fmt::format(":stride={}:run={}", format_bytes(run.strides.stride), format_bytes(run.strides.run));
  }
  return text;
}

}  // namespace postage
