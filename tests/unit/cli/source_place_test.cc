// Which position of another build a place of the source means.
#include "harness/cli/source_place.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "harness/cli/regression.h"
#include "harness/cli/site_table.h"

namespace heddle::cli {
namespace {

class TwoBuilds : public testing::Test {
 protected:
  // A lock in a line of the source.
  struct At {
    unsigned line;
    std::string function = "work";
  };
  ReachedPlaces build(const std::string& name, const std::vector<std::string>& source, const std::vector<At>& locks) {
    const std::string directory = testing::TempDir() + testing::UnitTest::GetInstance()->current_test_info()->name() + name;
    std::filesystem::create_directories(directory);
    const std::string path = directory + "/a.cc";
    std::ofstream out(path);
    for (const std::string& line : source) out << line << "\n";
    out.close();
    SiteNames names;
    ReachedPlaces reached;
    for (const At& lock : locks) {
      const SiteId site = 100 + lock.line;
      names.add(site, {fmt::format("{}:{}", path, lock.line), lock.function, fmt::format("{}+0x{:x}", lock.function, lock.line)});
      reached.add(site, Kind::mutex_lock);
    }
    reached.name(names);
    return reached;
  }
  // In `there`, the line of the lock that is at `line` in `here`. 0: it is not there any more.
  static unsigned line_in(const ReachedPlaces& there, const ReachedPlaces& here, unsigned line) {
    SourcePlace place;
    EXPECT_TRUE(here.place_of(100 + line, Kind::mutex_lock, place));
    bool exact = false;
    const SiteId site = there.find(place, exact);
    return site == kNoSite ? 0 : static_cast<unsigned>(site - 100);
  }
};

TEST_F(TwoBuilds, OneOfTwoEqualLinesIsGone) {
  const ReachedPlaces before = build("1", {"m.lock();", "f();", "m.lock();"}, {{1}, {3}});
  const ReachedPlaces after = build("2", {"m.lock();", "f();", "other.lock();"}, {{1}, {3}});
  EXPECT_EQ(line_in(after, before, 1), 1u);
  EXPECT_EQ(line_in(after, before, 3), 0u);
}

TEST_F(TwoBuilds, TheFirstOfTwoEqualLinesIsGone) {
  const ReachedPlaces before = build("1", {"m.lock();", "f();", "m.lock();"}, {{1}, {3}});
  const ReachedPlaces after = build("2", {"", "f();", "m.lock();"}, {{3}});
  EXPECT_EQ(line_in(after, before, 3), 3u);
}

TEST_F(TwoBuilds, EqualLinesKeepTheirOrderWhereverTheyMove) {
  const ReachedPlaces before = build("1", {"m.lock();", "f();", "m.lock();"}, {{1}, {3}});
  const ReachedPlaces after = build("2", {"", "", "", "m.lock();", "f();", "m.lock();"}, {{4}, {6}});
  EXPECT_EQ(line_in(after, before, 1), 4u);
  EXPECT_EQ(line_in(after, before, 3), 6u);
}

TEST_F(TwoBuilds, EqualLinesOfAnotherFunctionDoNotCount) {
  const ReachedPlaces before = build("1", {"m.lock();", "m.lock();"}, {{1, "one"}, {2, "two"}});
  const ReachedPlaces after = build("2", {"f();", "m.lock();"}, {{2, "two"}});
  EXPECT_EQ(line_in(after, before, 2), 2u);
}

// Such as a library's. It can be left out: whether an access is an operation is no demand.
TEST_F(TwoBuilds, AVisiblePositionWithoutALineIsLeftOut) {
  const ReachedPlaces reached = build("1", {"m.lock();"}, {{1}});
  Schedule schedule;
  schedule.visible_plain = {101, 999};
  Regression out;
  out.set_schedule(schedule, reached, {});
  ASSERT_EQ(out.places.size(), 1u);
  EXPECT_EQ(out.places[0].line, 1u);
  schedule.delays.push_back({{.site = 999, .kind = Kind::mutex_lock}, {.site = 101, .kind = Kind::mutex_lock}});
  EXPECT_THROW(out.set_schedule(schedule, reached, {}), std::exception);
}

class WithoutLines : public testing::Test {
 protected:
  struct At {
    SiteId site;
    std::string function;
    unsigned offset;
    Kind kind = Kind::plain_write;
  };
  static ReachedPlaces build(const std::vector<At>& positions) {
    SiteNames names;
    ReachedPlaces reached;
    for (const At& at : positions) {
      names.add(at.site, {"", at.function, fmt::format("{}+0x{:x}", at.function, at.offset)});
      reached.add(at.site, at.kind);
    }
    reached.name(names);
    return reached;
  }
  static SiteId find(const ReachedPlaces& there, const ReachedPlaces& here, SiteId site, Kind kind) {
    Regression regression;
    Schedule schedule;
    schedule.delays.push_back({{.thread = kMainThread, .site = site, .occurrence = 1, .kind = kind}, {.thread = kAnyThread, .site = site, .kind = kind}});
    regression.set_schedule(schedule, here, {});
    const BoundSchedule bound = bind("", regression_from_text("", regression_to_text(regression)), there, {});  // also as text
    return bound.schedule.delays.empty() ? kNoSite : bound.schedule.delays[0].what.site;
  }
};

TEST_F(WithoutLines, AnAccessIsNamedByItsNumberInItsFunction) {
  const ReachedPlaces before = build({{5, "send", 0x10}, {3, "send", 0x20}, {4, "receive", 0x8}});
  const ReachedPlaces after = build({{11, "send", 0x18}, {12, "send", 0x2c}, {13, "receive", 0x30}});
  EXPECT_EQ(find(after, before, 5, Kind::plain_write), 11u);
  EXPECT_EQ(find(after, before, 3, Kind::plain_write), 12u);
  EXPECT_EQ(find(after, before, 4, Kind::plain_write), 13u);
  EXPECT_EQ(find(build({{11, "other", 0x18}}), before, 5, Kind::plain_write), kNoSite);
}

// Such as that of main, which is in heddle's code.
TEST_F(WithoutLines, TheEndOfAThreadNeedNotBeInTheSameFunction) {
  const ReachedPlaces before = build({{5, "body", 0x1, Kind::thread_exit}});
  EXPECT_EQ(find(build({{11, "other", 0x18, Kind::thread_exit}}), before, 5, Kind::thread_exit), 11u);
  EXPECT_EQ(find(build({{12, "other", 0x18, Kind::thread_exit}, {11, "body", 0x18, Kind::thread_exit}}), before, 5, Kind::thread_exit), 11u);
}

TEST(SiteTable, OfTwoFunctionsWithOneNameTheOneWithALineCounts) {
  for (const char* const text : {"00000000000000ab send+0x4 a.c:22 in send\n00000000000000ab send+0x4 ?? in send\n",
                                 "00000000000000ab send+0x4 ?? in send\n00000000000000ab send+0x4 a.c:22 in send\n"}) {
    const SiteNames names = parse_site_table(text);
    ASSERT_NE(names.find(0xab), nullptr);
    EXPECT_EQ(names.find(0xab)->location, "a.c:22");
  }
}

}  // namespace
}  // namespace heddle::cli
