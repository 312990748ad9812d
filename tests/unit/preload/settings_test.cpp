#include "preload/settings/settings.hpp"

#include "preload/settings/names.hpp"

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
  return settings_of({variable}).complaints;
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
  for (const char* list : {"0,,1", ",1", "1,", "-1", "1 2", "x"}) {
    EXPECT_EQ(complaints_about((std::string("POSTAGE_PRETENDED_NODES=") + list).c_str()).size(), 1U) << list;
  }
  EXPECT_EQ(complaints_about("POSTAGE_PRETENDED_NODES=0,10,0"), Sentences{});
  EXPECT_EQ(complaints_about("POSTAGE_STAT=1"),
            Sentences{"POSTAGE_STAT is no variable of this library; the name is POSTAGE_STATS"});
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
}

}  // namespace
}  // namespace postage::preload
