#include "preload/settings/names.hpp"

#include <postage/preload/settings.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>

namespace postage::preload {
namespace {

Settings settings_of(std::vector<const char*> environment) {
  environment.push_back(nullptr);
  return settings_in(environment.data());
}

TEST(Settings, AreUsualOnesWhereNothingIsSet) {
  const Settings usual = settings_of({"HOME=/root", "POSTAGE_PROBES=", "POSTAGE_STATS_JSON="});
  EXPECT_EQ(usual.replacing, Replacing::kWhereFaster);
  EXPECT_TRUE(usual.probes);
  EXPECT_FALSE(usual.want_observer());
  EXPECT_TRUE(usual.complaints.empty());
}

TEST(Settings, AreThoseOfTheEnvironment) {
  EXPECT_EQ(settings_of({"POSTAGE_PRELOAD=off"}).replacing, Replacing::kNothing);
  EXPECT_EQ(settings_of({"POSTAGE_PRELOAD=on"}).replacing, Replacing::kWhereFaster);
  EXPECT_EQ(settings_of({"POSTAGE_PRELOAD=always"}).replacing, Replacing::kAlways);
  EXPECT_FALSE(settings_of({"POSTAGE_PROBES=off"}).probes);
  EXPECT_FALSE(settings_of({"POSTAGE_PROBES=0"}).probes);
  EXPECT_TRUE(settings_of({"POSTAGE_STATS=1"}).prints_statistics);
  EXPECT_FALSE(settings_of({"POSTAGE_STATS=off"}).want_observer());
  EXPECT_EQ(settings_of({"POSTAGE_STATS_JSON=a=b.json"}).statistics_file, "a=b.json");
  const Settings traced = settings_of({"POSTAGE_TRACE=t"});
  EXPECT_EQ(traced.trace_file, "t");
  EXPECT_FALSE(traced.want_statistics());
  EXPECT_TRUE(traced.want_observer());
}

std::vector<std::string> complaints_about(const char* variable) {
  std::vector<std::string> sentences;
  for (const Complaint& complaint : settings_of({variable}).complaints) {
    sentences.push_back(complaint.wrong + "; " + complaint.instead);
  }
  return sentences;
}

TEST(Settings, SayWhatIsWrong) {
  using Sentences = std::vector<std::string>;
  EXPECT_EQ(complaints_about("POSTAGE_PROBES=maybe"),
            Sentences{"POSTAGE_PROBES is on or off, not \"maybe\"; it is taken as on"});
  EXPECT_EQ(complaints_about("POSTAGE_PROBES=always"),
            Sentences{"POSTAGE_PROBES is on or off, not \"always\"; it is taken as on"});
  EXPECT_EQ(complaints_about("POSTAGE_PRELOAD=of"),
            Sentences{"POSTAGE_PRELOAD is on, off or always, not \"of\"; it is taken as on"});
  EXPECT_EQ(complaints_about("POSTAGE_STATS=yes"),
            Sentences{"POSTAGE_STATS is on or off, not \"yes\"; it is taken as on"});
  EXPECT_EQ(complaints_about("POSTAGE_STAT=1"),
            Sentences{"POSTAGE_STAT=1 sets no variable of Postage; the name is POSTAGE_STATS; it is not used"});
}

TEST(Settings, HaveListsOfNumbers) {
  for (const char* list : {"0,,1", ",1", "1,", ",", "-1", "1 2", "x", "1234567890"}) {
    EXPECT_EQ(
        complaints_about((std::string("POSTAGE_PRETENDED_NODES=") + list).c_str()),
        std::vector{fmt::format("POSTAGE_PRETENDED_NODES is a list of whole numbers with commas between them, not "
                                "\"{}\"; it is not used",
                                list)});
  }
  EXPECT_EQ(complaints_about("POSTAGE_PRETENDED_CORES=2,2").size(), 1U);
  EXPECT_EQ(complaints_about("POSTAGE_PRETENDED_TIMES=1,2,3,4").size(), 1U);
  const Settings right = settings_of(
      {"POSTAGE_PRETENDED_CORES=4", "POSTAGE_PRETENDED_NODES=0,10,0", "POSTAGE_PRETENDED_TIMES=30,999999999"});
  EXPECT_TRUE(right.complaints.empty());
  EXPECT_EQ(right.pretended_cores, 4);
  EXPECT_EQ(right.pretended_nodes, (std::vector<std::int64_t>{0, 10, 0}));
  EXPECT_EQ(right.pretended_times, (std::vector<std::int64_t>{30, 999999999}));
  EXPECT_TRUE(settings_of({"POSTAGE_PRETENDED_NODES=0,x"}).pretended_nodes.empty());
}

TEST(Settings, HaveFiles) {
  const Settings both = settings_of({"POSTAGE_DECISIONS=d:1.json", "POSTAGE_SCHEDULES=a.json::b.json:"});
  EXPECT_EQ(both.decisions_file, "d:1.json");
  EXPECT_EQ(both.schedule_files, (std::vector<std::string>{"a.json", "b.json"}));
  EXPECT_EQ(settings_of({}).decisions_file, "");
}

TEST(Settings, TellMisspelledNamesFromOthers) {
  EXPECT_EQ(name_meant_by("POSTAGE_PRELOADS"), "POSTAGE_PRELOAD");
  EXPECT_EQ(name_meant_by("POSTAGE_DESICIONS"), "POSTAGE_DECISIONS");
  EXPECT_EQ(name_meant_by("POSTAGE_SCHEDULE"), "POSTAGE_SCHEDULES");
  for (const char* other : {"POSTAGE_PRELOAD", "POSTAGE_STATS_JSON", "POSTAGE_PLATFORM", "POSTAGE_LIBEXEC",
                            "POSTAGE_UPDATE", "POSTAGE_TUNED", "POSTAGE_SOURCE_DIR", "POSTAGE_EXHAUSTIVE"}) {
    EXPECT_EQ(name_meant_by(other), std::nullopt) << other;
  }
}

TEST(Settings, SayWhyAFileCannotBeWritten) {
  const std::filesystem::path folder = std::filesystem::temp_directory_path();
  EXPECT_EQ(why_unwritable((folder / "postage-settings-test").string()), std::nullopt);
  EXPECT_EQ(why_unwritable("no-folder-before-it"), std::nullopt);
  EXPECT_EQ(why_unwritable(folder.string()), "Is a directory");
  EXPECT_EQ(why_unwritable((folder / "postage-no-such-folder" / "file").string()), "No such file or directory");
  EXPECT_EQ(why_unwritable("/dev/null/file"), "Not a directory");
}

}  // namespace
}  // namespace postage::preload
