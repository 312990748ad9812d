// Strided messages sent and received in every combination of ways between ranks 0 and 1: the same bytes must arrive.
#include <postage/transport/mpi/mpi_program.hpp>
#include <postage/transport/mpi/mpi_transport.hpp>

#include <fmt/format.h>
#include <mpi.h>

#include <cstdio>
#include <vector>

namespace postage {
namespace {

constexpr int kTag = 3;

std::vector<std::byte> filled(const StridedLayout& layout) {
  std::vector<std::byte> memory(static_cast<std::size_t>(layout.extent()));
  for (std::size_t i = 0; i < memory.size(); ++i) {
    memory[i] = static_cast<std::byte>((i * 37 + 5) & 0xff);
  }
  return memory;
}

std::vector<std::byte> packed(const std::vector<std::byte>& memory, const StridedLayout& layout) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(layout.bytes()));
  pack(memory, layout, bytes);
  return bytes;
}

void send(MpiTransport& transport, const StridedLayout& layout, int way) {
  const std::vector<std::byte> memory = filled(layout);
  if (way == 0) {
    transport.send_strided(memory, layout, 1, kTag);
  } else if (way == 1) {
    transport.Transport::send_strided(memory, layout, 1, kTag);  // packed, as without datatypes
  } else {
    transport.send(packed(memory, layout), 1, kTag);
  }
}

bool receive(MpiTransport& transport, const StridedLayout& layout, int way) {
  std::vector<std::byte> memory(static_cast<std::size_t>(layout.extent()));
  std::vector<std::byte> bytes(static_cast<std::size_t>(layout.bytes()));
  if (way == 0) {
    transport.receive_strided(memory, layout, 0, kTag);
  } else if (way == 1) {
    transport.Transport::receive_strided(memory, layout, 0, kTag);
  } else {
    transport.receive(bytes, 0, kTag);
    unpack(bytes, layout, memory);
  }
  return packed(memory, layout) == packed(filled(layout), layout);
}

int run() {
  MpiTransport transport(MPI_COMM_WORLD);
  int wrong = 0;
  int checks = 0;
  for (const StridedLayout& layout : {StridedLayout{1, 8, 8}, StridedLayout{256, 4, 8}, StridedLayout{1024, 1, 512},
                                      StridedLayout{5000, 16, 24}, StridedLayout{100, 3, 7}}) {
    for (int way = 0; way < 9; ++way) {
      ++checks;
      if (transport.rank() == 0) {
        send(transport, layout, way / 3);
      } else if (transport.rank() == 1 && !receive(transport, layout, way % 3)) {
        ++wrong;
        fmt::print(stderr, "{} runs of {} bytes, {} apart, arrived damaged: sent in way {}, received in way {}\n",
                   layout.runs, layout.run_bytes, layout.stride, way / 3, way % 3);
      }
    }
  }
  int all_wrong = 0;
  MPI_Allreduce(&wrong, &all_wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (transport.rank() == 0) {
    fmt::print("{}: {} checks\n", transport.implementation(), checks);
  }
  return all_wrong == 0 ? 0 : 1;
}

}  // namespace
}  // namespace postage

int main(int argc, char** argv) {
  return postage::run_mpi_program("test-strided", argc, argv, postage::run);
}
