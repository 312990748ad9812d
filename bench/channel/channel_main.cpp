// The experiments over the channel: bench_channel RANKS [EXPERIMENTS [SIZES [SECONDS]]]. Ranks are forked and bound to
// one core each, as long as there are cores. POSTAGE_SINGLE_COPY=0 switches single copy off; POSTAGE_THRESHOLDS gives
// "EAGER,SINGLE,JOINT,SKEWED" for all classes.
#include "channel/plan.hpp"

#include <postage/base/units.hpp>
#include <postage/channel/fork.hpp>

namespace postage::bench {
namespace {

class ChannelBackend {
 public:
  explicit ChannelBackend(Channel& channel) : channel_(channel) {}

  [[nodiscard]] int rank() const { return channel_.rank(); }
  [[nodiscard]] int size() const { return channel_.size(); }
  void send(const void* data, std::size_t bytes, int target) {
    channel_.send(std::span(static_cast<const std::byte*>(data), bytes), target, 1);
  }
  void receive(void* data, std::size_t bytes, int source) {
    channel_.receive(std::span(static_cast<std::byte*>(data), bytes), source, 1);
  }
  void start_send(const void* data, std::size_t bytes, int target) {
    requests_.push_back(channel_.start_send(std::span(static_cast<const std::byte*>(data), bytes), target, 1));
  }
  void start_receive(void* data, std::size_t bytes, int source) {
    requests_.push_back(channel_.start_receive(std::span(static_cast<std::byte*>(data), bytes), source, 1));
  }
  void wait_all() {
    channel_.wait_all(requests_);
    requests_.clear();
  }
  void barrier() {
    char token = 0;
    for (int other = 1; other < size(); ++other) {
      if (rank() == 0) {
        receive(&token, 1, other);
      } else if (rank() == other) {
        send(&token, 1, 0);
      }
    }
    for (int other = 1; other < size(); ++other) {
      if (rank() == 0) {
        send(&token, 1, other);
      } else if (rank() == other) {
        receive(&token, 1, 0);
      }
    }
  }

 private:
  Channel& channel_;
  std::vector<ChannelRequest> requests_;
};

ChannelOptions options() {
  ChannelOptions result;
  const char* single_copy = std::getenv("POSTAGE_SINGLE_COPY");
  result.single_copy = single_copy == nullptr || std::string(single_copy) != "0";
  if (const char* text = std::getenv("POSTAGE_THRESHOLDS")) {
    const std::vector<Bytes> sizes = parse_sizes(text);
    result.thresholds = ThresholdTable::uniform({sizes.at(0), sizes.at(1), sizes.at(2), sizes.at(3)});
  }
  return result;
}

int run(int argc, char** argv) {
  const int ranks = argc > 1 ? std::stoi(argv[1]) : 2;
  const Plan plan = parse_plan(argc - 1, argv + 1);
  ForkOptions how;
  how.channel = options();
  const auto work = [&](Channel& channel) {
    ChannelBackend backend(channel);
    run_plan(backend, plan);
    return 0;
  };
  return run_forked(ranks, work, how);
}

}  // namespace
}  // namespace postage::bench

int main(int argc, char** argv) {
  return postage::bench::run(argc, argv);
}
