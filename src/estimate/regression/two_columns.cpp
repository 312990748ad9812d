#include "estimate/regression/two_columns.hpp"

#include <Eigen/QR>

namespace postage {
namespace {

/// One form of right-hand sides for both, which halves the compiler's work.
Eigen::MatrixXd solve_least_squares(const Eigen::MatrixX2d& rows, const Eigen::MatrixXd& right) {
  return rows.completeOrthogonalDecomposition().solve(right);
}

}  // namespace

Eigen::Vector2d least_squares(const Eigen::MatrixX2d& rows, const Eigen::VectorXd& right) {
  return solve_least_squares(rows, right);
}

Eigen::Matrix2Xd pseudo_inverse(const Eigen::MatrixX2d& rows) {
  return solve_least_squares(rows, Eigen::MatrixXd::Identity(rows.rows(), rows.rows()));
}

}  // namespace postage
