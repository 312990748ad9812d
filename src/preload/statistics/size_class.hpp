#pragma once

#include <postage/base/units.hpp>

#include <string>

namespace postage::preload {

/// Sizes from one power of two to the next; messages without data have a class of their own.
class SizeClass {
 public:
  static constexpr int kClasses = 48;

  explicit SizeClass(Bytes bytes);
  [[nodiscard]] static SizeClass numbered(int number);

  [[nodiscard]] int number() const { return number_; }
  [[nodiscard]] Bytes first() const { return number_ == 0 ? 0 : Bytes{1} << (number_ - 1); }
  [[nodiscard]] Bytes end() const { return Bytes{1} << number_; }
  /// "0", "1K-2K".
  [[nodiscard]] std::string text() const;

 private:
  SizeClass() = default;
  int number_ = 0;
};

}  // namespace postage::preload
