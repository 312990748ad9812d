#include "transport/mpi/check.hpp"
#include "transport/mpi/middleware.hpp"

#include <postage/base/error.hpp>

#include <fmt/format.h>
#include <simgrid/host.h>

#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace postage {
namespace {

constexpr const char* kProperty = "postage/middleware";

/// Linear between the keys' values, constant outside.
template <typename Value, typename At>
double interpolated(const std::map<Bytes, Value>& values, Bytes key, const At& at) {
  const auto next = values.lower_bound(key);
  if (next == values.end()) {
    return at(std::prev(next)->second);
  }
  if (next == values.begin() || next->first == key) {
    return at(next->second);
  }
  const auto before = std::prev(next);
  const double share = static_cast<double>(key - before->first) / static_cast<double>(next->first - before->first);
  return (1 - share) * at(before->second) + share * at(next->second);
}

/// Seconds by size, by stride.
using EndTimes = std::map<Bytes, std::map<Bytes, double>>;

double seconds_of(const EndTimes& times, Bytes bytes, Bytes stride) {
  return interpolated(times, stride, [&](const std::map<Bytes, double>& by_size) {
    return interpolated(by_size, bytes, [](double seconds) { return seconds; });
  });
}

class SimulatedMiddleware final : public Middleware {
 public:
  SimulatedMiddleware(MPI_Comm communicator, const std::string& property) {
    read(property);
    find_neighbours(communicator);
  }

  void spend(const StridedLayout& layout, std::int32_t peer) const override {
    const bool is_strided = layout.stride != layout.run_bytes && layout.runs > 1;
    const double seconds = seconds_of(is_near_[static_cast<std::size_t>(peer)] ? node_ : network_, layout.bytes(),
                                      is_strided ? layout.stride : 0);
    if (seconds > 0) {
      smpi_execute_flops(seconds * sg_host_get_speed(sg_host_self()));
    }
  }

 private:
  void read(const std::string& property) {
    std::istringstream entries(property);
    for (std::string entry; std::getline(entries, entry, ';');) {
      std::istringstream words(entry);
      std::string where;
      Bytes bytes = 0;
      Bytes stride = 0;
      double seconds = 0;
      if (!(words >> where >> bytes >> stride >> seconds) || (where != "node" && where != "network") || seconds < 0) {
        throw Error(fmt::format("property {}: '{}' is not WHERE BYTES STRIDE SECONDS, like 'node 1024 8 1.5e-6'",
                                kProperty, entry));
      }
      (where == "node" ? node_ : network_)[stride][bytes] = seconds;
    }
    if (node_.empty() || network_.empty()) {
      throw Error(
          fmt::format("property {}: no entry says what messages within a host, or between hosts, take", kProperty));
    }
  }

  void find_neighbours(MPI_Comm communicator) {
    MPI_Comm node = MPI_COMM_NULL;
    int rank = 0;
    int ranks = 0;
    MPI_Comm_rank(communicator, &rank);
    MPI_Comm_size(communicator, &ranks);
    check(MPI_Comm_split_type(communicator, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node), "looking for hosts");
    int first = rank;
    MPI_Bcast(&first, 1, MPI_INT, 0, node);
    MPI_Comm_free(&node);
    std::vector<int> firsts(static_cast<std::size_t>(ranks));
    check(MPI_Allgather(&first, 1, MPI_INT, firsts.data(), 1, MPI_INT, communicator), "looking for hosts");
    for (const int other : firsts) {
      is_near_.push_back(other == first);
    }
  }

  EndTimes node_;
  EndTimes network_;
  std::vector<bool> is_near_;
};

}  // namespace

std::unique_ptr<Middleware> middleware_of(MPI_Comm communicator) {
  const char* property = sg_host_get_property_value(sg_host_self(), kProperty);
  return property == nullptr ? nullptr : std::make_unique<SimulatedMiddleware>(communicator, property);
}

}  // namespace postage
