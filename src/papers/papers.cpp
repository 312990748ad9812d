#include "papers/builtin_papers.hpp"

#include <postage/base/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <tuple>

namespace postage {
namespace {

/// Kinds in their order, each by its number: "2a" before "10".
bool is_before(const Exhibit& a, const Exhibit& b) {
  return a.kind != b.kind ? a.kind < b.kind : strverscmp(a.number.c_str(), b.number.c_str()) < 0;
}

Exhibits in_order(const std::vector<Exhibits>& files) {
  Exhibits all;
  for (const Exhibits& some : files) {
    all.insert(all.end(), some.begin(), some.end());
  }
  std::stable_sort(all.begin(), all.end(), is_before);
  return all;
}

std::vector<Paper> built_in_papers() {
  return {
      {.name = "tu",
       .reference = "B. Tu, J. Fan, J. Zhan, X. Zhao, Accurate Analytical Models for Message Passing on Multi-core "
                    "Clusters, 2009",
       .machines =
           "Eight nodes with two quad-core Intel Xeon of 2.0 GHz each, joined by Gigabit Ethernet, under MPICH2 1.0.6; "
           "a simulated cluster of 8 nodes of 8 cores stands for it, with packing charged as this machine's "
           "cores measure it.",
       .exhibits = in_order(tu_exhibits()),
       .misprints = tu_misprints()},
      {.name = "rico-gallego",
       .reference = "J. A. Rico-Gallego et al., Modeling Contention and Mapping Effects in Multi-core Clusters, 2015",
       .machines =
           "Lusitania, 128 cores of one shared memory in 16 UMA nodes, and 4 nodes with two four-core Intel Xeon E5620 "
           "each; simulated nodes whose memory is shared stand for them.",
       .exhibits = in_order(rico_gallego_exhibits()),
       .misprints = rico_gallego_misprints()},
      {.name = "chai",
       .reference =
           "L. Chai, P. Lai, H.-W. Jin, D. K. Panda, Designing an Efficient Kernel-level and User-level Hybrid "
           "Approach for MPI Intra-node Communication on Multi-core Systems, ICPP 2008",
       .machines = "A node with two Intel Clovertown processors of four cores at 2.0 GHz, two cores to a 4 MB cache; "
                   "MVAPICH and MVAPICH-LiMIC2. This machine stands for it, with postage's shared memory, Open MPI and "
                   "MPICH; its copies in the kernel are those of process_vm_readv. Caches are simulated where this "
                   "page says so.",
       .exhibits = in_order(chai_exhibits()),
       .misprints = chai_misprints()},
      {.name = "lastovetsky",
       .reference = "A. Lastovetsky, V. Rychkov, Accurate and Efficient Estimation of Parameters of Heterogeneous "
                    "Communication Performance Models, IJHPCA 23(2), 2009",
       .machines = "A cluster of 16 nodes of seven types behind one switch; a simulated cluster of 16 nodes of seven "
                   "types stands for it.",
       .exhibits = in_order(lastovetsky_exhibits()),
       .misprints = lastovetsky_misprints()},
      {.name = "ali",
       .reference = "Q. Ali, S. P. Midkiff, V. S. Pai, Modeling Advanced Collective Communication Algorithms on "
                    "Cell-based Systems, PPoPP 2010",
       .machines =
           "A blade with two Cell processors of 8 SPEs; a simulated blade stands for it, whose buses' rates and "
           "latencies are those of the paper's description.",
       .exhibits = in_order(ali_exhibits()),
       .misprints = ali_misprints()},
  };
}

}  // namespace

std::span<const Paper> papers() {
  static const std::vector<Paper> all = built_in_papers();
  return all;
}

const Paper& find_paper(std::string_view name) {
  std::vector<std::string> names;
  for (const Paper& paper : papers()) {
    if (paper.name == name) {
      return paper;
    }
    names.push_back(paper.name);
  }
  throw UsageError(unknown_name("paper", std::string(name), fmt::format("{}", fmt::join(names, ", "))));
}

const Exhibit& find_exhibit(const Paper& paper, std::string_view id) {
  std::vector<std::string> ids;
  for (const Exhibit& exhibit : paper.exhibits) {
    if (id_of(exhibit) == id) {
      return exhibit;
    }
    ids.push_back(id_of(exhibit));
  }
  throw UsageError(
      unknown_name(fmt::format("exhibit of {}", paper.name), std::string(id), fmt::format("{}", fmt::join(ids, ", "))));
}

}  // namespace postage
