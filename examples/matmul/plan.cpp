#include "plan.hpp"

#include "machine.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <utility>

namespace matmul {
namespace {

/// Multiplications of a small block in a second, on this rank.
double measured_speed() {
  constexpr int kSize = 128;
  const std::vector<double> a(kSize * kSize, 1.0);
  std::vector<double> c(a.size());
  double least = 1e9;
  for (int i = 0; i < 5; ++i) {
    const double start = MPI_Wtime();
    multiply(a.data(), a.data(), c.data(), kSize, kSize, kSize);
    spend(2.0 * kSize * kSize * kSize);
    least = std::min(least, MPI_Wtime() - start);
  }
  return 1 / std::max(least, 1e-9);
}

std::vector<double> speeds_of_ranks(const Options& options, int ranks) {
  std::vector<double> speeds(static_cast<std::size_t>(ranks));
  if (options.speeds.empty()) {
    const double own = measured_speed();
    MPI_Allgather(&own, 1, MPI_DOUBLE, speeds.data(), 1, MPI_DOUBLE, MPI_COMM_WORLD);
    return speeds;
  }
  std::ifstream file(options.speeds);
  for (double& speed : speeds) {
    if (!(file >> speed) || speed <= 0) {
      throw std::runtime_error(options.speeds + " does not have a speed above 0 for each rank");
    }
  }
  return speeds;
}

}  // namespace

Options read_options(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto value = [&] {
      return i + 1 < argc ? std::string(argv[++i]) : throw std::runtime_error(word + " of what?");
    };
    if (word == "--speeds") {
      options.speeds = value();
    } else if (word == "--trees") {
      options.trees = value();
    } else if (word == "--bcast") {
      options.bcast = value();
    } else if (word == "--plan") {
      options.plan = value();
    } else if (word == "--check") {
      options.checks = true;
    } else if (word == "rows") {
      options.split = Split::kRows;
    } else if (word == "columns" || word == "column-broadcasts") {
      options.split = word == "columns" ? Split::kColumns : Split::kColumnBroadcasts;
    } else {
      options.n = std::atoi(word.c_str());
    }
  }
  if (options.n < 1 || options.n > 20'000) {
    throw std::runtime_error("give N, the matrices' size, from 1 to 20000");
  }
  return options;
}

Plan make_plan(const Options& options, int ranks) {
  const std::vector<Part> parts = partition(options.n, speeds_of_ranks(options, ranks), options.split);
  std::vector<int> columns;
  std::vector<int> out;
  std::vector<int> back;
  int column_before = -1;
  for (const Part& part : parts) {
    const bool is_first = part.processor_column != std::exchange(column_before, part.processor_column);
    const bool is_sent = options.split == Split::kColumns || (options.split == Split::kColumnBroadcasts && is_first);
    columns.push_back(is_sent ? part.columns : 0);
    out.push_back(options.n * (part.rows + columns.back()));
    back.push_back(part.rows * part.columns);
  }
  return {parts, columns, Blocks(out), Blocks(back)};
}

void write_plan(const Plan& plan, const std::string& folder) {
  std::filesystem::create_directories(folder);
  std::ofstream out(folder + "/scatterv.counts");
  std::ofstream back(folder + "/gatherv.counts");
  std::ofstream columns(folder + "/columns");
  for (std::size_t rank = 0; rank < plan.parts.size(); ++rank) {
    out << plan.scattered.counts[rank] << '\n';
    back << plan.gathered.counts[rank] << '\n';
    columns << plan.parts[rank].processor_column << ' ' << plan.parts[rank].columns << '\n';
  }
}

}  // namespace matmul
