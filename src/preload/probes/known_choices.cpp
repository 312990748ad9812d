#include "preload/probes/known_choices.hpp"

#include <mpi.h>

#include <algorithm>
#include <map>
#include <mutex>

namespace postage::preload {
namespace {

struct Known {
  std::mutex mutex;
  std::map<std::vector<int>, Choices> by_members;
};

Known& known() {
  static Known only;
  return only;
}

bool are_of_world(const std::vector<int>& members) {
  return std::find(members.begin(), members.end(), MPI_UNDEFINED) == members.end();
}

}  // namespace

Choices known_choices(const std::vector<int>& members) {
  const std::lock_guard lock(known().mutex);
  const auto found = known().by_members.find(members);
  return found != known().by_members.end() ? found->second : Choices{};
}

void note_choice(const std::vector<int>& members, Entry entry, int size_class, Candidate choice) {
  if (are_of_world(members)) {
    const std::lock_guard lock(known().mutex);
    known().by_members[members].of(entry, size_class) = choice;
  }
}

}  // namespace postage::preload
