#pragma once

#include <postage/tuning/decision_table.hpp>

namespace postage {

/// What each rule saves, and how many were dropped.
void print_gains(const DecisionTable& table);

}  // namespace postage
