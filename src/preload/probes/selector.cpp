#include "preload/probes/selector.hpp"

#include "preload/probes/known_choices.hpp"

#include <postage/preload/settings.hpp>

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace postage::preload {
namespace {

using Nanoseconds = CellProbes::Nanoseconds;

/// Of a clock that all processes of a node share.
Nanoseconds nanoseconds_now() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

/// Of this rank and the environment as it is now: tests set it rank by rank.
std::array<Nanoseconds, kCandidates> pretended_times() {
  std::array<Nanoseconds, kCandidates> times{};
  const std::vector<std::int64_t> pretended = settings_in(environ).pretended_times;
  std::size_t candidate = static_cast<std::size_t>(Candidate::kLibrary);
  for (const std::int64_t microseconds : pretended) {
    times[candidate++] = 1000 * microseconds;
  }
  return times;
}

/// Where only some ranks know how long the data are, calls of different sizes would be compared.
bool is_size_known(Entry entry, std::int32_t ranks) {
  return ranks == 2 || (entry != Entry::kGatherv && entry != Entry::kScatterv && entry != Entry::kAlltoallv);
}

/// So many calls of a root find slots that are free before it waits for the others.
int uncounted_calls(int size_class) {
  constexpr Bytes kAllSlots = DirectGroup::kSlots * DirectGroup::kSlotBytes;
  return 1 + static_cast<int>(std::clamp<Bytes>(kAllSlots / ProbedClass::last_of(size_class), 1, DirectGroup::kSlots));
}

}  // namespace

Selector::Selector(MPI_Comm communicator, const CommunicatorShape& shape, std::vector<int> members)
    : communicator_(communicator),
      shape_(shape),
      members_(std::move(members)),
      choices_(known_choices(members_)),
      pretended_(pretended_times()) {
  for (int number = 0; number < kCollectiveEntries; ++number) {
    least_[static_cast<std::size_t>(number)] = least_probed(static_cast<Entry>(number), shape.ranks);
  }
  // Another thread may be finding out, so that some ranks know what others do not know yet.
  if (PMPI_Allreduce(MPI_IN_PLACE, &choices_, sizeof choices_, MPI_UNSIGNED_CHAR, MPI_MIN, communicator) !=
      MPI_SUCCESS) {
    choices_ = {};
  }
}

bool Selector::is_probed(Entry entry) const {
  return is_possible(entry, shape_) && is_size_known(entry, shape_.ranks);
}

std::vector<Candidate> Selector::candidates(const Cell& cell) const {
  std::vector<Candidate> all{Candidate::kLibrary, Candidate::kSlots};
  if (shape_.single_copy && ProbedClass::first_of(cell.size_class) >= kLeastSingleCopied) {
    all.push_back(Candidate::kSingleCopy);
  }
  return all;
}

Candidate Selector::probe(const Cell& cell, Bytes bytes) {
  if (!is_probed(cell.entry)) {
    return Candidate::kUnknown;
  }
  CellProbes& probes = probes_.try_emplace(cell, candidates(cell), uncounted_calls(cell.size_class)).first->second;
  const std::optional<Candidate> candidate = probes.begin(bytes);
  if (!candidate) {
    return Candidate::kUnknown;
  }
  timed_ = &probes;
  timed_cell_ = cell;
  carried_out_by_ = *candidate;
  entered_ = nanoseconds_now();
  return *candidate;
}

bool Selector::end_probe() {
  const Nanoseconds pretended = pretended_[static_cast<std::size_t>(carried_out_by_)];
  CellProbes& probes = *std::exchange(timed_, nullptr);
  probes.note(entered_, pretended > 0 ? entered_ + pretended : nanoseconds_now());
  if (!probes.is_round_over()) {
    return false;
  }
  const auto round = probes.round();
  const bool agree = PMPI_Allreduce(MPI_IN_PLACE, round.data(), static_cast<int>(round.size()), MPI_INT64_T, MPI_MAX,
                                    communicator_) == MPI_SUCCESS;
  const std::optional<Candidate> choice = agree ? probes.judge() : Candidate::kLibrary;
  if (choice) {
    choices_.of(timed_cell_.entry, timed_cell_.size_class) = *choice;
    note_choice(members_, timed_cell_.entry, timed_cell_.size_class, *choice);
    probes_.erase(timed_cell_);
  }
  return choice.has_value();
}

void Selector::note_passed(Decisions& decisions) const {
  for (int number = 0; number < kCollectiveEntries; ++number) {
    const auto entry = static_cast<Entry>(number);
    if (!is_probed(entry)) {
      continue;
    }
    Decisions::Bounds bounds;
    for (const Bytes bound : decisions.bounds(entry)) {
      if (bound < least(entry)) {
        bounds.push_back(bound);
      }
    }
    if (bounds.size() % 2 == 0) {
      bounds.push_back(least(entry));
    }
    std::uint32_t passed = 0;
    for (int size_class = 0; size_class < ProbedClass::kClasses; ++size_class) {
      passed |= (choices_.of(entry, size_class) == Candidate::kLibrary ? 1U : 0U) << size_class;
    }
    decisions.look_at(entry, bounds, passed);
  }
}

}  // namespace postage::preload
