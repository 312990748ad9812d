#pragma once

#include "papers/jobs.hpp"

#include <string>
#include <string_view>

namespace postage::rico_gallego_paper {

inline constexpr Bytes kSegment = 8192;
/// L(S, tau) = 2 us for every tau: what remains is how many transfers there are.
inline constexpr std::string_view kFlat = "o=0,L=2us,n=2,S=8K";
inline constexpr std::string_view kLogGP = "L=5us,o=1us,g=2us,G=1ns";

/// L(S, tau) = 2 us tau^0.6 for tau = 1, 2, 4, ..., 256.
[[nodiscard]] std::string growing();

/// All ranks joined by one channel.
[[nodiscard]] PlatformModel on_one_channel(std::string_view model, std::string_view parameters);

/// What the formula gives, and what the evaluator gives for the schedule that it describes.
[[nodiscard]] Seconds formula(std::string_view collective, std::string_view name, const FormulaJob& job);
[[nodiscard]] Seconds evaluator(std::string_view collective, std::string_view name, const FormulaJob& job);

}  // namespace postage::rico_gallego_paper
