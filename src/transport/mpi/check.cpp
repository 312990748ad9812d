#include "transport/mpi/check.hpp"

#include <postage/base/error.hpp>

#include <fmt/format.h>

#include <array>
#include <string_view>

namespace postage {

void fail(int code, const char* what) {
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  MPI_Error_string(code, text.data(), &length);
  throw Error(
      fmt::format("MPI failed in {}: {}", what, std::string_view(text.data(), static_cast<std::size_t>(length))));
}

}  // namespace postage
