#pragma once

#include <Eigen/Core>

namespace postage {

/// Least squares with two unknowns, one equation a row; of several solutions the shortest. In a source of their own,
/// since Eigen's decompositions take long to compile.

/// The solution for these right-hand sides. O(rows).
[[nodiscard]] Eigen::Vector2d least_squares(const Eigen::MatrixX2d& rows, const Eigen::VectorXd& right);

/// The solution as a linear function of the right-hand sides. O(rows^2).
[[nodiscard]] Eigen::Matrix2Xd pseudo_inverse(const Eigen::MatrixX2d& rows);

}  // namespace postage
