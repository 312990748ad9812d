// A program with this file stays on the core that it starts on, its threads and children, too. CTest's own property for
// that, PROCESSOR_AFFINITY, has no effect in Debian's CMake.
#include <gtest/gtest.h>
#include <sched.h>

namespace postage::test {
namespace {

class OneCore : public testing::Environment {
 public:
  void SetUp() override {
    cpu_set_t core;
    CPU_ZERO(&core);
    CPU_SET(static_cast<std::size_t>(sched_getcpu()), &core);
    ASSERT_EQ(sched_setaffinity(0, sizeof core, &core), 0);
  }
};

const testing::Environment* const one_core = testing::AddGlobalTestEnvironment(new OneCore);

}  // namespace
}  // namespace postage::test
