// The model of a run, and the page, the picture and the graph that are made of it.
#include "harness/cli/run_model.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "harness/cli/embedded_pages.h"
#include "harness/cli/markup.h"
#include "harness/cli/run_page.h"
#include "harness/cli/run_picture.h"

namespace heddle::cli {
namespace {

// A trace by hand: thread 0 is main.
class Recorded {
 public:
  Recorded(uint32_t threads, uint32_t objects) {
    trace_.threads.resize(threads);
    trace_.objects.resize(objects + 1);
    for (uint32_t t = 0; t < threads; ++t) trace_.threads[t].id = t == 0 ? kMainThread : child_thread(kMainThread, t - 1);
  }
  uint32_t add(uint32_t thread, Kind kind, uint32_t object, uint32_t partner = kNoEvent, bool finished = true) {
    Event e = {};
    e.site = 7 + trace_.events.size();
    e.thread = thread;
    e.kind = kind;
    e.object = object;
    e.partner = partner;
    e.req = static_cast<uint32_t>(trace_.events.size()) + 1;
    e.done = finished ? e.req : 0;
    trace_.events.push_back(e);
    return static_cast<uint32_t>(trace_.events.size()) - 1;
  }
  Event& event(uint32_t i) { return trace_.events[i]; }
  StoredTrace& trace() { return trace_; }
  RunModel model(const std::string& words = {}) { return make_model(trace_, words, {}); }

 private:
  StoredTrace trace_;
};

size_t arrows(const RunModel& model, RunArrow arrow) {
  return static_cast<size_t>(std::count_if(model.links.begin(), model.links.end(), [&](const RunLink& link) { return link.arrow == arrow; }));
}

TEST(RunModel, ATraceAloneHasNamesByKind) {
  Recorded run(2, 2);
  run.add(0, Kind::mutex_lock, 1);
  run.add(1, Kind::atomic_store, 2);
  const RunModel model = run.model();
  ASSERT_EQ(model.rows.size(), 2u);
  EXPECT_EQ(model.rows[0].words, "mutex lock M1");
  EXPECT_EQ(model.rows[1].words, "atomic store A1");
  EXPECT_EQ(model.threads[1].name, "main.0");
}

TEST(RunModel, TheHarnesssStartAndEndAreNoRows) {
  Recorded run(2, 1);
  run.add(0, Kind::thread_start, 1);
  run.add(1, Kind::thread_start, 1);
  run.add(0, Kind::thread_exit, 1);
  EXPECT_EQ(run.model().rows.size(), 1u);
}

TEST(RunModel, WordsOfTheTarget) {
  Recorded run(2, 1);
  run.add(0, Kind::atomic_store, 1);
  run.add(1, Kind::atomic_load, 1, 0);
  const RunModel model = run.model(
      "{\"run\":1,\"operations\":2,\"first\":0,\"preemptions\":3}\n"
      "{\"site\":4,\"function\":\"f\",\"file\":\"/src/queue.cc\",\"line\":41,\"column\":3}\n"
      "{\"object\":1,\"name\":\"hits\",\"origin\":\"global atomic\"}\n"
      "no JSON at all\n"
      "{\"event\":0,\"at\":4,\"words\":\"store hits = 3\",\"size\":4,\"stored\":\"0x3\"}\n"
      "{\"event\":99,\"at\":4,\"words\":\"beyond the end\"}\n"
      "{\"finding\":\"crash\",\"what\":\"it fails\\n\\n\",\"signature\":\"12\"}\n"
      "{\"mark\":0}\n{\"mark\":77}\n"
      "{\"aside\":1,\"before\":1,\"at\":4,\"words\":\"free block\"}\n"
      "{\"here\":1,\"before\":2,\"at\":4,\"words\":\"read block\"}\n"
      "{\"event\":1,\"at\":4,\"words\":\"cut off");
  ASSERT_EQ(model.rows.size(), 4u);
  EXPECT_EQ(model.preemptions, 3);
  EXPECT_EQ(model.kind, "crash");
  EXPECT_EQ(model.what, "it fails");
  EXPECT_EQ(model.rows[0].words, "store hits = 3");
  EXPECT_EQ(model.rows[0].values, "stored 0x3 (4 bytes)");
  EXPECT_EQ(short_place(model.places[model.rows[0].place]), "queue.cc:41");
  EXPECT_TRUE(model.rows[0].marked);
  EXPECT_EQ(model.rows[1].words, "free block");
  EXPECT_EQ(model.rows[1].what, RunRow::aside);
  EXPECT_EQ(model.rows[2].words, "atomic load hits");  // its line is damaged
  EXPECT_EQ(model.rows[2].partner, 0u);
  EXPECT_EQ(model.rows[3].words, "crash: read block");
  EXPECT_EQ(model.rows[3].what, RunRow::here);
}

TEST(RunModel, AnAsideThatIsAnOperationHasItsRow) {
  Recorded run(1, 1);
  run.add(0, Kind::plain_write, 1);
  const RunModel model = run.model("{\"aside\":0,\"before\":0,\"at\":0,\"words\":\"write hits+4\",\"of\":0}\n");
  ASSERT_EQ(model.rows.size(), 1u);
  EXPECT_EQ(model.rows[0].words, "write hits+4");
  EXPECT_TRUE(model.rows[0].marked);
}

// Such as a change of the file mask: it has a row, and explains nothing.
TEST(RunModel, ANoteIsARowBetweenTheOperations) {
  Recorded run(2, 1);
  run.add(0, Kind::atomic_store, 1);
  run.add(1, Kind::atomic_load, 1);
  const RunModel model = run.model("{\"site\":4,\"file\":\"/src/mask.cc\",\"line\":9}\n{\"note\":1,\"before\":1,\"at\":4,\"words\":\"umask\"}\n");
  ASSERT_EQ(model.rows.size(), 3u);
  EXPECT_EQ(model.rows[1].words, "umask");
  EXPECT_EQ(model.rows[1].thread, 1u);
  EXPECT_EQ(short_place(model.places[model.rows[1].place]), "mask.cc:9");
  EXPECT_TRUE(model.rows[1].finished);
  EXPECT_FALSE(model.rows[1].marked);
  EXPECT_EQ(model.rows[2].partner, kNoRow);
}

TEST(RunModel, LocksAreBars) {
  Recorded run(2, 2);
  run.add(0, Kind::mutex_lock, 1);
  run.add(0, Kind::mutex_lock, 2);
  run.add(0, Kind::mutex_unlock, 1);
  run.add(1, Kind::mutex_lock, 1, 2);
  const RunModel model = run.model();
  ASSERT_EQ(model.locks.size(), 3u);
  EXPECT_EQ(model.locks[0].from, 0u);
  EXPECT_EQ(model.locks[0].to, 2u);
  EXPECT_FALSE(model.locks[0].for_good);
  EXPECT_TRUE(model.locks[1].for_good);
  EXPECT_EQ(model.locks[2].thread, 1u);
  EXPECT_EQ(arrows(model, RunArrow::lock), 1u);
}

TEST(RunModel, AFailedAndARecursiveLockAreNoBars) {
  Recorded run(1, 1);
  run.event(run.add(0, Kind::mutex_trylock, 1)).outcome = Outcome::failure;
  EXPECT_TRUE(run.model().locks.empty());
  run.add(0, Kind::mutex_lock, 1);
  run.event(run.add(0, Kind::mutex_lock, 1)).flags = kEventRecursive;
  run.event(run.add(0, Kind::mutex_unlock, 1)).flags = kEventRecursive;
  run.add(0, Kind::mutex_unlock, 1);
  const RunModel model = run.model();
  ASSERT_EQ(model.locks.size(), 1u);
  EXPECT_EQ(model.locks[0].to, 4u);
}

TEST(RunModel, AWaitGivesItsMutexBack) {
  Recorded run(1, 2);
  run.add(0, Kind::mutex_lock, 1);
  run.event(run.add(0, Kind::cond_wait, 2)).choice = 1;
  run.add(0, Kind::cond_wake, 2);
  run.add(0, Kind::mutex_lock, 1);
  const RunModel model = run.model();
  ASSERT_EQ(model.locks.size(), 2u);
  EXPECT_EQ(model.locks[0].to, 1u);
  EXPECT_EQ(model.locks[1].from, 3u);
}

TEST(RunModel, AnotherThreadGivesALockBack) {
  Recorded run(2, 1);
  run.add(0, Kind::mutex_lock, 1);
  run.event(run.add(1, Kind::mutex_unlock, 1)).flags = kEventForeign;
  const RunModel model = run.model();
  ASSERT_EQ(model.locks.size(), 1u);
  EXPECT_EQ(model.locks[0].thread, 0u);
  EXPECT_EQ(model.locks[0].to, 1u);
}

TEST(RunModel, ABlockedThreadWaitsForTheHolder) {
  Recorded run(2, 1);
  run.add(0, Kind::mutex_lock, 1);
  run.add(1, Kind::mutex_lock, 1, kNoEvent, false);
  run.trace().threads[1].state = static_cast<uint8_t>(ThreadEnd::blocked);
  const RunModel model = run.model();
  ASSERT_EQ(arrows(model, RunArrow::waits), 1u);
  EXPECT_TRUE(model.threads[1].blocked);
  EXPECT_TRUE(model.rows[0].important);
}

TEST(RunModel, AReadThatAnotherThreadsStoreMakesOld) {
  Recorded run(2, 1);
  run.add(0, Kind::atomic_load, 1);
  run.add(1, Kind::atomic_store, 1);
  const std::string marks = "{\"mark\":0}\n{\"mark\":1}\n";
  EXPECT_EQ(arrows(run.model(marks), RunArrow::changes), 1u);
  EXPECT_EQ(arrows(run.model("{\"mark\":0}\n"), RunArrow::changes), 0u);
}

TEST(RunModel, TheOtherAccessLeadsToTheFinding) {
  Recorded run(2, 1);
  run.add(0, Kind::plain_write, 1);
  const RunModel model = run.model("{\"finding\":\"data-race\"}\n{\"aside\":0,\"before\":0,\"at\":0,\"words\":\"write hits\",\"of\":0}\n{\"here\":1,\"before\":1,\"at\":0,\"words\":\"read hits\"}\n");
  ASSERT_EQ(arrows(model, RunArrow::conflict), 1u);
  EXPECT_EQ(model.links.back().from, 0u);
  EXPECT_EQ(model.links.back().to, 1u);
}

TEST(RunModel, ALongRunsPictureHasWhatMatters) {
  Recorded run(2, 1);
  for (int i = 0; i < 300; ++i) run.add(static_cast<uint32_t>(i % 2), Kind::atomic_store, 1);
  for (Event& event : run.trace().events) event.site = 7;
  EXPECT_TRUE(picture_rows(run.model()).empty());  // nothing says which rows matter
  const RunModel model = run.model("{\"mark\":100}\n");
  const std::vector<uint32_t> rows = picture_rows(model);
  EXPECT_EQ(rows, (std::vector<uint32_t>{98, 100, 102, 298, 299}));  // with the thread's operations before and after, and the last of each kind
  EXPECT_NE(run_svg(model).find("98 operations left out"), std::string::npos);
}

const char* const kHostile = "</script><script>taken()</script><!-- @TITLE@ @DATA@ \\\" ]]> & \x01\xff";

RunModel hostile() {
  Recorded run(1, 1);
  run.add(0, Kind::mutex_lock, 1);
  RunModel model = run.model();
  model.kind = model.what = model.report = model.target = model.file = model.place = kHostile;
  model.threads[0].name = model.objects[1].name = model.objects[1].origin = model.rows[0].words = model.rows[0].values = kHostile;
  model.places.push_back({kHostile, kHostile, 3, 1});
  model.rows[0].place = 1;
  return model;
}

TEST(RunPage, NothingInTheDataEndsItsElement) {
  const std::string page = run_page(hostile(), true);
  const std::string empty(embedded_page("run.html"));
  const auto count = [](const std::string& text, const char* what) {
    size_t n = 0;
    for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
    return n;
  };
  for (const char* tag : {"<script", "</script", "<!--", "</title"}) EXPECT_EQ(count(page, tag), count(empty, tag)) << tag;
  EXPECT_TRUE(is_page_of_heddle(page));
  const std::string opening = "<script id=\"data\" type=\"application/json\">";
  const size_t begin = page.find(opening) + opening.size(), end = page.find("</script>", begin);
  const auto data = nlohmann::json::parse(page.substr(begin, end - begin));
  const std::string whole = valid_utf8(kHostile);
  EXPECT_EQ(data["kind"], whole);
  EXPECT_EQ(data["words"][data["rows"][0][2].get<size_t>()], whole);
}

TEST(RunPage, ItLoadsNothing) {
  const std::string page(embedded_page("run.html"));
  ASSERT_FALSE(page.empty());
  for (const char* word : {"@include", " src=", "<link", "@import", "url(", "https:", "fetch("}) EXPECT_EQ(page.find(word), std::string::npos) << word;
  EXPECT_NE(page.find("default-src 'none'"), std::string::npos);
}

TEST(RunPicture, HostileTextStaysText) {
  const std::string svg = run_svg(hostile());
  EXPECT_EQ(svg.find("<script"), std::string::npos);
  EXPECT_EQ(svg.find("<!--"), std::string::npos);
  EXPECT_EQ(svg.find('\x01'), std::string::npos);
  StoredTrace trace;
  trace.events.resize(1);
  const std::string dot = run_dot(hostile(), trace);
  EXPECT_NE(dot.find("\\\\\\\""), std::string::npos);  // \" of the text
}

TEST(RunPicture, TheGraphOfAWeakRunHasItsOrderOfStores) {
  Recorded run(2, 1);
  run.add(0, Kind::atomic_store, 1);
  run.add(1, Kind::atomic_store, 1);
  run.add(1, Kind::atomic_load, 1, 0);
  run.trace().coherence = {{0, 1, 0}, {1, kNoEvent, 0}};  // the other way round than they were executed
  const RunModel model = run.model();
  const std::string dot = run_dot(model, run.trace());
  EXPECT_NE(dot.find("n1 -> n0 [label=mo"), std::string::npos);
  EXPECT_NE(dot.find("n0 -> n2 [label=rf"), std::string::npos);
  run.trace().coherence.clear();
  EXPECT_NE(run_dot(model, run.trace()).find("n0 -> n1 [label=mo"), std::string::npos);
}

TEST(ValidUtf8, ReplacesWhatIsNone) {
  EXPECT_EQ(valid_utf8("plain é 漢 😀"), "plain é 漢 😀");
  EXPECT_EQ(valid_utf8("a\xff"), "a\xEF\xBF\xBD");
  EXPECT_EQ(valid_utf8("\xC0\xAF"), "\xEF\xBF\xBD\xEF\xBF\xBD");
  EXPECT_EQ(valid_utf8("\xED\xA0\x80"), "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
  EXPECT_EQ(valid_utf8("\xE6\xBC"), "\xEF\xBF\xBD\xEF\xBF\xBD");
}

}  // namespace
}  // namespace heddle::cli
