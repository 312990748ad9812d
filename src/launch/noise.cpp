// A platform for SimGrid: that of the XML file which has this library's name and stands beside it, with what properties
// of its outermost zone ask for. Seeded, so that a simulation repeats.
//
// `noise`: each message's latency is multiplied by 1 + noise*e, its bandwidth divided by as much with another e; e is
// exponential with mean 1, since disturbances are rare and some are long.
//
// `escalations`, "M_1 M_2 SECONDS SHARE SECONDS SHARE ...": what TCP's time-outs do to gathers of medium blocks over a
// switched Ethernet (A. Lastovetsky, M. O'Flynn, IPDPS 2007). Of the messages of M_1 to M_2 bytes that set out for a
// host to which one from another host is under way, a share arrives so many seconds later.
//
// SimGrid's own profiles of a link's latency will not do: when one changes, messages that still wait for that latency
// start at once (NetworkCm02Link::set_latency of SimGrid 3.32).
#include <dlfcn.h>
#include <simgrid/kernel/resource/NetworkModelIntf.hpp>
#include <simgrid/s4u.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

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

class Escalations {
 public:
  Escalations(const std::string& property, std::uint64_t seed) : random_(seed) {
    std::istringstream words(property);
    words >> least_ >> most_;
    for (Level level; words >> level.seconds >> level.share;) {
      levels_.push_back(level);
    }
    if (levels_.empty()) {
      throw std::runtime_error("the property escalations is not M_1 M_2 SECONDS SHARE ...");
    }
  }

  /// Seconds that the message arrives later.
  double delay(double bytes, const sg::Host* source, const sg::Host* target, const std::vector<sg::Link*>& links) {
    // SMPI adds an envelope of 16 bytes.
    if (bytes - 16 < least_ || bytes - 16 > most_) {
      return 0;
    }
    const double now = sg::Engine::get_clock();
    double seconds = 0;
    double rate = 0;
    for (const sg::Link* link : links) {
      seconds += link->get_latency();
      rate = rate == 0 ? link->get_bandwidth() : std::min(rate, link->get_bandwidth());
    }
    std::map<const sg::Host*, double>& under_way = ends_[target];
    bool meets_another = false;
    for (const auto& [from, end] : under_way) {
      meets_another = meets_another || (from != source && end > now);
    }
    under_way[source] = now + seconds + bytes / rate;
    return meets_another ? drawn() : 0;
  }

 private:
  struct Level {
    double seconds = 0;
    double share = 0;
  };

  double drawn() {
    double chance = static_cast<double>(random_() >> 11U) * 0x1p-53;
    for (const Level& level : levels_) {
      if (chance < level.share) {
        return level.seconds;
      }
      chance -= level.share;
    }
    return 0;
  }

  std::mt19937_64 random_;
  double least_ = 0;
  double most_ = 0;
  std::vector<Level> levels_;
  std::map<const sg::Host*, std::map<const sg::Host*, double>> ends_;  ///< [target][source]
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
  const sg::NetZone* world = engine.get_netzone_root();
  const char* noise_text = world->get_property("noise");
  const char* escalations_text = world->get_property("escalations");
  if (noise_text == nullptr && escalations_text == nullptr) {
    throw std::runtime_error("the outermost zone has neither a property noise nor escalations");
  }
  const double noise = noise_text == nullptr ? 0 : std::stod(noise_text);
  using Factor = simgrid::kernel::resource::NetworkModelIntf::NetworkFactorCb;
  const auto disturbed = [noise](std::uint64_t seed, bool slows) -> std::function<Factor> {
    return [noise, slows, source = std::make_shared<Disturbance>(seed)](auto&&...) {
      const double factor = 1 + noise * source->next();
      return slows ? factor : 1 / factor;
    };
  };
  std::function<Factor> latency = disturbed(20090601, true);
  if (escalations_text != nullptr) {
    latency = [noisy = latency, escalations = std::make_shared<Escalations>(escalations_text, 20070326)](
                  double bytes, const sg::Host* source, const sg::Host* target, const std::vector<sg::Link*>& links,
                  const auto& zones) {
      double seconds = 0;
      for (const sg::Link* link : links) {
        seconds += link->get_latency();
      }
      const double delay = escalations->delay(bytes, source, target, links);
      return noisy(bytes, source, target, links, zones) + (seconds > 0 ? delay / seconds : 0);
    };
  }
  const auto model = world->get_network_model();
  model->set_lat_factor_cb(latency);
  if (noise > 0) {
    model->set_bw_factor_cb(disturbed(20130401, false));
  }
}
