#include <postage/base/error.hpp>
#include <postage/launch/launch.hpp>
#include <postage/launch/virtual_cluster.hpp>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <functional>
#include <future>
#include <thread>

namespace postage {
namespace {

std::string message_of(const std::vector<std::string>& command, Seconds limit) {
  try {
    static_cast<void>(run_command(command, limit));
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST(RunCommand, ReturnsTheOutput) {
  EXPECT_EQ(run_command({"sh", "-c", "echo hello"}, 30), "hello\n");
}

TEST(RunCommand, NamesAFailuresReason) {
  EXPECT_EQ(message_of({"sh", "-c", "echo '-----' >&2; echo no such rank >&2; exit 3"}, 30),
            "sh failed with status 3: no such rank");
  EXPECT_EQ(message_of({"sh", "-c", "kill -9 $$"}, 30), "sh was killed by signal 9");
  EXPECT_NE(message_of({"/no/such/program"}, 30).find("cannot start /no/such/program"), std::string::npos);
}

TEST(RunCommand, PrefersTheMeasuringProgramsOwnSentence) {
  const std::string script =
      "echo 'postage-measure: warning: not bound' >&2; echo 'postage-measure: rank 1 got a wrong byte' >&2; "
      "echo mpirun noticed that rank 1 exited >&2; exit 1";
  EXPECT_EQ(message_of({"sh", "-c", script}, 30), "sh failed with status 1: rank 1 got a wrong byte");
}

// Status 2 is that of an invalid request: what the program's own option lacks, whoever started it.
TEST(RunCommand, RepeatsWhatTheMeasuringProgramRefuses) {
  const std::vector<std::string> refusing{"sh", "-c", "echo 'postage-measure: --pairs: x is no pair' >&2; exit 2"};
  EXPECT_EQ(message_of(refusing, 30), "--pairs: x is no pair");
  EXPECT_THROW(static_cast<void>(run_command(refusing, 30)), UsageError);
}

/// True while a process runs whose command line holds the text.
bool is_running(const std::string& text) {
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    std::ifstream in(entry.path() / "cmdline", std::ios::binary);
    const std::string line{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    if (line.find(text) != std::string::npos) {
      return true;
    }
  }
  return false;
}

// As an MPI launcher does, the child starts a rank in a session of its own, which a group's signal does not reach.
TEST(RunCommand, LeavesNoOrphanWhenAJobHangs) {
  const std::string message = message_of({"sh", "-c", "setsid sleep 7654.25 & setsid sleep 7654.25"}, 0.5);
  EXPECT_NE(message.find("did not end within 500 ms, and was stopped with all its processes"), std::string::npos);
  EXPECT_FALSE(is_running("7654.25"));
}

TEST(RunCommand, LeavesNoOrphanWhenAJobDies) {
  static_cast<void>(message_of({"sh", "-c", "setsid sleep 7654.75 & exit 1"}, 30));
  EXPECT_FALSE(is_running("7654.75"));
}

TEST(RunCommand, EndsNoOtherThatRunsAtTheSameTime) {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "go").string();
  // The slow one cannot end before the other has failed.
  auto slow = std::async(std::launch::async, [&] {
    return run_command({"sh", "-c", "until test -e " + file + "; do sleep 0.01; done; echo done"}, 60);
  });
  EXPECT_EQ(message_of({"sh", "-c", "sleep 7654.5 & exit 1"}, 60), "sh failed with status 1");
  std::ofstream(file) << "x";
  EXPECT_EQ(slow.get(), "done\n");
  EXPECT_FALSE(is_running("7654.5"));
}

/// Waits for a state of things that may take its time; false after a minute.
bool comes_true(const std::function<bool()>& state) {
  for (int turn = 0; turn < 6000; ++turn) {
    if (state()) {
      return true;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

// Whoever runs the command dies without a chance to end it, as by kill -9. The shell waits for its child, so that a
// signal to it alone would leave the child running.
TEST(RunCommand, LeavesNoOrphanWhenItIsKilledItself) {
  const pid_t runner = fork();
  if (runner == 0) {
    static_cast<void>(message_of({"sh", "-c", "setsid sleep 7654.125 & sleep 7654.125"}, 600));
    _exit(0);
  }
  ASSERT_TRUE(comes_true([] { return is_running("sleep" + std::string(1, '\0') + "7654.125"); }));
  kill(runner, SIGKILL);
  ASSERT_EQ(waitpid(runner, nullptr, 0), runner);
  EXPECT_TRUE(comes_true([] { return !is_running("7654.125"); }));
}

TEST(TemporaryFolder, GoesWithItsOwner) {
  std::filesystem::path path;
  {
    const TemporaryFolder folder;
    path = folder.path();
    std::ofstream(path / "file") << "x";
    EXPECT_TRUE(std::filesystem::exists(path / "file"));
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(LaunchCommand, RefusesWhatCannotBeStarted) {
  EXPECT_THROW(static_cast<void>(launch_command({.mpi = "nonsense"}, {})), UsageError);
  EXPECT_THROW(static_cast<void>(find_virtual_cluster("nonsense")), UsageError);
}

TEST(MixedCluster, IsSymmetricAndMixed) {
  const VirtualCluster cluster = mixed_cluster();
  ASSERT_EQ(cluster.size(), 16U);
  for (std::size_t i = 0; i < 16; ++i) {
    for (std::size_t j = 0; j < 16; ++j) {
      EXPECT_DOUBLE_EQ(cluster.one_way(i, j, 1000), cluster.one_way(j, i, 1000));
    }
  }
  EXPECT_GT(cluster.hosts.back().overhead, 3 * cluster.hosts.front().overhead);
}

}  // namespace
}  // namespace postage
