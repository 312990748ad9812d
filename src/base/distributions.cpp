// The only source that includes Boost.Math, whose headers take long to compile.
#include <postage/base/statistics.hpp>

// In double precision: what Boost prepares for long double at the start of a program fails under valgrind, whose long
// double is a double.
#define BOOST_MATH_PROMOTE_DOUBLE_POLICY false
#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/gamma.hpp>

#include <algorithm>
#include <cmath>

namespace postage {

double student_t_quantile(double probability, double degrees) {
  if (probability == 0.5) {
    return 0;
  }
  // 2 P(T > t) = I_x(degrees / 2, 1 / 2) with x = degrees / (degrees + t^2); 1 - x is asked for too, so that neither
  // end loses digits.
  double rest = 0;
  const double x = boost::math::ibeta_inv(degrees / 2, 0.5, 2 * std::min(probability, 1 - probability), &rest);
  const double t = std::sqrt(degrees * rest / x);
  return probability > 0.5 ? t : -t;
}

double chi_squared_tail(double x, double degrees) {
  return x <= 0 ? 1 : boost::math::gamma_q(degrees / 2, x / 2);
}

}  // namespace postage
