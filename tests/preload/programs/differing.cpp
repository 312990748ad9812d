// Collectives whose ranks describe equal elements by different datatypes: side by side, with gaps of any length, in
// front of their address, or at absolute addresses (MPI_BOTTOM); reductions by the program's own operation. In each
// call one rank differs from the others.
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

constexpr int kTimes = 12;

/// x -> factor x + offset modulo 2^32: composing such maps is associative and does not commute.
struct Map {
  std::uint32_t factor = 1;
  std::uint32_t offset = 0;
  bool operator==(const Map&) const = default;
};

Map composed(const Map& left, const Map& right) {
  return {left.factor * right.factor, left.factor * right.offset + left.offset};
}

Map map_of(int rank, int element) {
  return {static_cast<std::uint32_t>(2 * rank + 3 + element), static_cast<std::uint32_t>(rank * 1000 + element)};
}

/// Of the ranks from the first to `last`.
Map composed_up_to(int last, int element) {
  Map all;
  for (int rank = 0; rank <= last; ++rank) {
    all = composed(all, map_of(rank, element));
  }
  return all;
}

/// Where an element's two numbers lie from its address, and how far elements are apart.
struct Form {
  MPI_Aint factor = 0;
  MPI_Aint offset = 4;
  MPI_Aint extent = 8;
};
constexpr std::array kForms{Form{},       Form{0, 8, 12}, Form{4, 0, 8}, Form{-16, -4, 24}, Form{0, 500, 1000},
                            Form{0, 4, 8}};
constexpr std::size_t kAbsolute = kForms.size() - 1;

struct Known {
  MPI_Datatype type;
  Form form;
};
std::vector<Known> known;

const Form& form_of(MPI_Datatype type) {
  return std::find_if(known.begin(), known.end(), [&](const Known& one) { return one.type == type; })->form;
}

Map load(const char* element, const Form& form) {
  Map map;
  std::memcpy(&map.factor, element + form.factor, 4);
  std::memcpy(&map.offset, element + form.offset, 4);
  return map;
}

void store(const Map& map, char* element, const Form& form) {
  std::memcpy(element + form.factor, &map.factor, 4);
  std::memcpy(element + form.offset, &map.offset, 4);
}

void compose(void* in, void* inout, int* count, MPI_Datatype* type) {
  const Form& form = form_of(*type);
  for (int i = 0; i < *count; ++i) {
    char* const right = static_cast<char*>(inout) + i * form.extent;
    store(composed(load(static_cast<char*>(in) + i * form.extent, form), load(right, form)), right, form);
  }
}

/// A buffer to be sent and one to be received into, which a datatype describes.
class Buffers {
 public:
  Buffers(std::size_t form, int sent, int received) : form_(kForms[form]), is_absolute_(form == kAbsolute) {
    const auto room = [&](int count) { return static_cast<std::size_t>(count + 2) * 1024; };
    memory_.assign(room(sent) + room(received), 0);
    send_ = memory_.data() + 512;
    receive_ = send_ + room(sent);
    make_type();
  }
  ~Buffers() {
    known.pop_back();
    MPI_Type_free(&type_);
  }
  Buffers(const Buffers&) = delete;
  Buffers& operator=(const Buffers&) = delete;

  [[nodiscard]] MPI_Datatype type() const { return type_; }
  [[nodiscard]] const void* send() const { return is_absolute_ ? MPI_BOTTOM : send_; }
  [[nodiscard]] void* receive() const { return is_absolute_ ? reinterpret_cast<void*>(receive_ - send_) : receive_; }
  /// What is reduced in place.
  [[nodiscard]] void* in_place() const { return const_cast<void*>(send()); }
  void fill(int rank, int count, int from = 0) {
    for (int i = 0; i < count; ++i) {
      store(map_of(rank, i), send_ + (from + i) * form_.extent, form_);
    }
  }
  [[nodiscard]] Map received(int i, bool in_place) const {
    return load((in_place ? send_ : receive_) + i * form_.extent, form_);
  }

 private:
  void make_type() {
    const MPI_Aint base = is_absolute_ ? address_of(send_) : 0;
    const std::array<MPI_Aint, 2> places{base + form_.factor, base + form_.offset};
    const std::array lengths{1, 1};
    MPI_Datatype numbers = MPI_DATATYPE_NULL;
    MPI_Type_create_hindexed(2, lengths.data(), places.data(), MPI_UNSIGNED, &numbers);
    MPI_Type_create_resized(numbers, base, form_.extent, &type_);
    MPI_Type_commit(&type_);
    MPI_Type_free(&numbers);
    Form form = form_;
    form.factor += base;
    form.offset += base;
    known.push_back({type_, form});
  }
  static MPI_Aint address_of(const void* memory) {
    MPI_Aint address = 0;
    MPI_Get_address(memory, &address);
    return address;
  }

  Form form_;
  bool is_absolute_;
  std::vector<char> memory_;
  char* send_;
  char* receive_;
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

struct Test {
  int count = 0;
  bool in_place = false;
  std::size_t form = 0;  ///< of this rank
  MPI_Op op = MPI_OP_NULL;
  int rank = 0;
  int ranks = 1;
};

/// Calls reduce(send, receive, type), which leaves `received` elements, and counts those that are wrong.
template <typename Reduce, typename Expected>
int wrong_ones(const Test& test, int sent, int received, const Reduce& reduce, const Expected& expected) {
  Buffers buffers(test.form, sent, received);
  buffers.fill(test.rank, sent);
  const void* const send = test.in_place ? MPI_IN_PLACE : buffers.send();
  reduce(send, test.in_place ? buffers.in_place() : buffers.receive(), buffers.type());
  int wrong = 0;
  for (int i = 0; i < received; ++i) {
    wrong += buffers.received(i, test.in_place) == expected(i) ? 0 : 1;
  }
  return wrong;
}

int reduce_to_some(const Test& test) {
  const auto all = [&](int i) { return composed_up_to(test.ranks - 1, i); };
  int wrong = 0;
  for (int root = 0; root < test.ranks; ++root) {
    const bool is_root = test.rank == root;
    Test own = test;
    own.in_place = is_root && test.in_place && root == 0;  // MPICH 4.0.2 itself fails for other roots
    wrong += wrong_ones(
        own, test.count, is_root ? test.count : 0,
        [&](const void* send, void* receive, MPI_Datatype type) {
          MPI_Reduce(send, receive, test.count, type, test.op, root, MPI_COMM_WORLD);
        },
        all);
  }
  return wrong;
}

int reduce_to_all(const Test& test) {
  return wrong_ones(
      test, test.count, test.count,
      [&](const void* send, void* receive, MPI_Datatype type) {
        MPI_Allreduce(send, receive, test.count, type, test.op, MPI_COMM_WORLD);
      },
      [&](int i) { return composed_up_to(test.ranks - 1, i); });
}

int scan(const Test& test) {
  return wrong_ones(
             test, test.count, test.count,
             [&](const void* send, void* receive, MPI_Datatype type) {
               MPI_Scan(send, receive, test.count, type, test.op, MPI_COMM_WORLD);
             },
             [&](int i) { return composed_up_to(test.rank, i); }) +
         wrong_ones(
             test, test.count, test.rank > 0 ? test.count : 0,
             [&](const void* send, void* receive, MPI_Datatype type) {
               MPI_Exscan(send, receive, test.count, type, test.op, MPI_COMM_WORLD);
             },
             [&](int i) { return composed_up_to(test.rank - 1, i); });
}

int reduce_and_scatter(Test test) {
#ifdef MPICH_VERSION
  return 0;  // 4.0.2 itself writes beyond its own memory
#endif
  test.in_place = false;
  const auto own = [&](int i) { return composed_up_to(test.ranks - 1, test.rank * test.count + i); };
  const std::vector<int> counts(static_cast<std::size_t>(test.ranks), test.count);
  return wrong_ones(
             test, test.ranks * test.count, test.count,
             [&](const void* send, void* receive, MPI_Datatype type) {
               MPI_Reduce_scatter_block(send, receive, test.count, type, test.op, MPI_COMM_WORLD);
             },
             own) +
         wrong_ones(
             test, test.ranks * test.count, test.count,
             [&](const void* send, void* receive, MPI_Datatype type) {
               MPI_Reduce_scatter(send, receive, counts.data(), type, test.op, MPI_COMM_WORLD);
             },
             own);
}

/// Of what this rank received of `ranks` blocks, each of the elements of its rank.
int wrong_blocks(const Buffers& buffers, const Test& test) {
  int wrong = 0;
  for (int i = 0; i < test.ranks * test.count; ++i) {
    wrong += buffers.received(i, false) == map_of(i / test.count, i % test.count) ? 0 : 1;
  }
  return wrong;
}

int move(const Test& test) {
  Buffers gathered(test.form, test.count, test.ranks * test.count);
  gathered.fill(test.rank, test.count);
  MPI_Allgather(gathered.send(), test.count, gathered.type(), gathered.receive(), test.count, gathered.type(),
                MPI_COMM_WORLD);
  Buffers exchanged(test.form, test.ranks * test.count, test.ranks * test.count);
  std::vector<int> counts;
  std::vector<int> displacements;
  for (int rank = 0; rank < test.ranks; ++rank) {
    counts.push_back(test.count);
    displacements.push_back(rank * test.count);
    exchanged.fill(test.rank, test.count, rank * test.count);
  }
  MPI_Alltoallv(exchanged.send(), counts.data(), displacements.data(), exchanged.type(), exchanged.receive(),
                counts.data(), displacements.data(), exchanged.type(), MPI_COMM_WORLD);
  int wrong = wrong_blocks(gathered, test) + wrong_blocks(exchanged, test);
  for (int root = 0; root < test.ranks; ++root) {
    Buffers sent(test.form, test.count, 0);
    sent.fill(test.rank, test.count);
    MPI_Bcast(sent.in_place(), test.count, sent.type(), root, MPI_COMM_WORLD);
    for (int i = 0; i < test.count; ++i) {
      wrong += sent.received(i, true) == map_of(root, i) ? 0 : 1;
    }
  }
  return wrong;
}

int run() {
  Test test;
  MPI_Comm_rank(MPI_COMM_WORLD, &test.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &test.ranks);
  MPI_Op_create(compose, 0, &test.op);
  int wrong = 0;
  for (int time = 0; time < kTimes; ++time) {
    test.form = test.rank == time % test.ranks ? static_cast<std::size_t>(time) % kForms.size()
                                               : static_cast<std::size_t>(time / 2) % kAbsolute;
    test.in_place = time % 3 == 2;
    for (const int count : {0, 1, 70, 3000}) {
      test.count = count;
      wrong += reduce_to_some(test) + reduce_to_all(test) + scan(test) + reduce_and_scatter(test) + move(test);
    }
  }
  MPI_Op_free(&test.op);
  int all = 0;
  MPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (test.rank == 0) {
    std::printf("elements that are wrong: %d\n", all);
  }
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int wrong = run();
  MPI_Finalize();
  return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
