// A platform for SimGrid: that of the XML file which has this library's name and stands beside it, with noise. Each
// message's latency is multiplied by 1 + noise*e, its bandwidth divided by as much with another e; e is exponential
// with mean 1, since disturbances are rare and some are long. `noise` is a property of the
// platform's outermost zone. Seeded, so that a simulation repeats.
//
// SimGrid's own profiles of a link's latency will not do: when one changes, messages that still wait for that latency
// start at once (NetworkCm02Link::set_latency of SimGrid 3.32).
#include <dlfcn.h>
#include <simgrid/kernel/resource/NetworkModelIntf.hpp>
#include <simgrid/s4u.hpp>

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>

namespace sg = simgrid::s4u;

namespace {

/// Exponential, with mean 1; the same on every machine.
class Disturbance {
 public:
  explicit Disturbance(std::uint64_t seed) : random_(seed) {}
  double next() { return -std::log1p(-static_cast<double>(random_() >> 11U) * 0x1p-53); }

 private:
  std::mt19937_64 random_;
};

std::filesystem::path own_path() {
  Dl_info info{};
  static const int somewhere = 0;
  if (dladdr(&somewhere, &info) == 0 || info.dli_fname == nullptr) {
    throw std::runtime_error("the noise library does not know where it lies");
  }
  return info.dli_fname;
}

}  // namespace

extern "C" void load_platform(const sg::Engine& engine);
extern "C" void load_platform(const sg::Engine& engine) {
  engine.load_platform(own_path().replace_extension(".xml").string());
  const char* property = engine.get_netzone_root()->get_property("noise");
  if (property == nullptr) {
    throw std::runtime_error("the outermost zone has no property noise");
  }
  const double noise = std::stod(property);
  using Factor = simgrid::kernel::resource::NetworkModelIntf::NetworkFactorCb;
  const auto disturbed = [noise](std::uint64_t seed, bool slows) -> std::function<Factor> {
    return [noise, slows, source = std::make_shared<Disturbance>(seed)](auto&&...) {
      const double factor = 1 + noise * source->next();
      return slows ? factor : 1 / factor;
    };
  };
  const auto model = engine.get_netzone_root()->get_network_model();
  model->set_lat_factor_cb(disturbed(20090601, true));
  model->set_bw_factor_cb(disturbed(20130401, false));
}
