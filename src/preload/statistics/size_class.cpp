#include "preload/statistics/size_class.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

namespace postage::preload {
namespace {

std::string size_text(Bytes bytes) {
  constexpr std::array kUnits{"", "K", "M", "G", "T"};
  std::size_t unit = 0;
  while (bytes >= 1024 && unit + 1 < kUnits.size()) {
    bytes /= 1024;
    ++unit;
  }
  return fmt::format("{}{}", bytes, kUnits[unit]);
}

}  // namespace

SizeClass::SizeClass(Bytes bytes)
    : number_(std::min(static_cast<int>(std::bit_width(static_cast<std::uint64_t>(std::max<Bytes>(bytes, 0)))),
                       kClasses - 1)) {}

SizeClass SizeClass::numbered(int number) {
  SizeClass result;
  result.number_ = std::clamp(number, 0, kClasses - 1);
  return result;
}

std::string SizeClass::text() const {
  return number_ == 0 ? "0" : fmt::format("{}-{}", size_text(first()), size_text(end()));
}

}  // namespace postage::preload
