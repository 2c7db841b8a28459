// Operations in the words of explain, with their callers.
#include "harness/cli/operation_places.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "harness/cli/operation_words.h"

namespace heddle::cli {
namespace {

constexpr SiteId kCas = 17;

// One thread that comes to the same position three times.
StoredTrace three_times() {
  StoredTrace out;
  out.threads.resize(1);
  out.threads[0].id = kMainThread;
  out.objects.resize(2);
  for (uint32_t n = 1; n <= 3; ++n) {
    Event e = {};
    e.site = kCas;
    e.kind = Kind::atomic_cas;
    e.object = 1;
    e.occurrence = n;
    e.req = e.done = n;
    out.events.push_back(e);
  }
  return out;
}

// Where the n-th operation is, and where that place's function was called: 1 is lock.h:17, 2 and 3 are queue.cc:20 and :21, 0 is not told.
struct At {
  unsigned place, caller;
};

OperationPlaces places(const StoredTrace& run, const std::vector<At>& operations) {
  std::string told =
      "{\"site\":1,\"function\":\"Lock::lock()\",\"file\":\"/src/lock.h\",\"line\":17}\n"
      "{\"site\":2,\"function\":\"push\",\"file\":\"/src/queue.cc\",\"line\":20}\n"
      "{\"site\":3,\"function\":\"push\",\"file\":\"/src/queue.cc\",\"line\":21}\n";
  for (size_t i = 0; i < operations.size(); ++i) {
    const std::string from = operations[i].caller != 0 ? fmt::format(",\"from\":{}", operations[i].caller) : "";
    told += fmt::format("{{\"event\":{},\"at\":{}{},\"words\":\"cas\"}}\n", i, operations[i].place, from);
  }
  return {run, make_model(run, told, {})};
}

// All are at one line of `function`. `words`: of each, as in JSON.
std::string told_of(const std::string& function, const std::vector<std::string>& words) {
  std::string told = fmt::format("{{\"site\":1,\"function\":\"{0}\",\"file\":\"/src/{0}.cc\",\"line\":17}}\n", function);
  for (size_t i = 0; i < words.size(); ++i) told += fmt::format("{{\"event\":{},\"at\":1,\"words\":\"{}\"}}\n", i, words[i]);
  return told;
}

std::string words(const OperationPlaces& known, uint32_t occurrence) {
  const SiteNames names;
  return OperationWords(names, known)(kMainThread, kCas, Kind::atomic_cas, occurrence);
}

TEST(OperationPlaces, SayWhatAChoiceWas) {
  StoredTrace run = three_times();
  for (Event& e : run.events) e.kind = Kind::select;
  run.events[0].choice = 1;
  run.events[1].kind = Kind::cond_signal;
  run.events[2].kind = Kind::cond_wake;
  run.events[2].partner = 1;
  const std::string told = "{\"object\":1,\"name\":\"C2\",\"origin\":\"channel without a buffer, made at serve.cc:7\"}\n" +
                           told_of("serve", {"select: receive C2: closed", "signal C1", "wake up from C1"});
  const OperationPlaces known = {run, make_model(run, told, {})};
  const SiteNames names;
  OperationWords said(names, known);
  EXPECT_EQ(said.chosen({.thread = kMainThread, .site = kCas, .instance = 1, .choice = 1, .kind = Kind::select}), "receive C2");
  EXPECT_EQ(said.chosen({.thread = kMainThread, .site = kCas, .instance = 1, .choice = 0, .kind = Kind::select}), "");
  EXPECT_EQ(said.chosen({.thread = kMainThread, .site = kCas, .instance = 2, .choice = 0, .kind = Kind::cond_signal}), "main");
  EXPECT_EQ(said.objects(), std::set<std::string>{"C2: channel without a buffer, made at serve.cc:7"});
}

TEST(OperationPlaces, TheReadOfAVariableIsToldFromACallOfRead) {
  StoredTrace run = three_times();
  run.events[0].kind = Kind::descriptor_read;
  run.events[1].kind = Kind::plain_read;
  run.events[0].object = 1, run.events[1].object = 2;
  run.objects.resize(3);
  const std::string told = "{\"object\":1,\"name\":\"pipe 4->3\",\"origin\":\"descriptor, first used at serve.cc:17\"}\n"
                           "{\"object\":2,\"name\":\"errno of main\",\"origin\":\"variable, thread-local to main\"}\n" +
                           told_of("serve", {"read pipe 4->3: would block", "read errno of main = 9"});
  const OperationPlaces known = {run, make_model(run, told, {})};
  const SiteNames names;
  OperationWords said(names, known);
  EXPECT_EQ(said(kMainThread, kCas, Kind::plain_read, run.events[1].occurrence), "the read of errno of main in `serve` at serve.cc:17 (main)");
  EXPECT_EQ(said(kMainThread, kCas, Kind::descriptor_read, run.events[0].occurrence), "the read in `serve` at :17 (main)");
}

TEST(OperationPlaces, ACallOnAFileIsNamedAsTheProgramSaysIt) {
  StoredTrace run = three_times();
  for (Event& e : run.events) e.kind = Kind::file_write;
  const std::string told = told_of("save", {R"(rename \"a b\", \"c\")", R"(mkdir \"d\": File exists)", "write a file: No space left on device"});
  const OperationPlaces known = {run, make_model(run, told, {})};
  const SiteNames names;
  OperationWords said(names, known);
  EXPECT_EQ(said(kMainThread, kCas, Kind::file_write, 1), "the rename of \"a b\", \"c\" in `save` at save.cc:17 (main)");
  EXPECT_EQ(said(kMainThread, kCas, Kind::file_write, 2), "the mkdir of \"d\" in `save` at :17 (main)");
  EXPECT_EQ(said(kMainThread, kCas, Kind::file_write, 3), "the write of a file in `save` at :17 (main)");
  // Which of them another thread would come to is not known.
  EXPECT_EQ(said(Element{.thread = kAnyThread, .site = kCas, .kind = Kind::file_write}), "another thread's write in `save` at :17");
}

TEST(OperationPlaces, ACallOnAStreamIsNotTheOneOnItsFile) {
  StoredTrace run = three_times();
  for (Event& e : run.events) e.kind = Kind::file_write;
  const std::string told = told_of("save", {R"(fseek \"a\")", R"(fseek stream of \"a\")", "fputs stream"});
  const OperationPlaces known = {run, make_model(run, told, {})};
  const SiteNames names;
  OperationWords said(names, known);
  EXPECT_EQ(said(kMainThread, kCas, Kind::file_write, 1), "the fseek of \"a\" in `save` at save.cc:17 (main)");
  EXPECT_EQ(said(kMainThread, kCas, Kind::file_write, 2), "the fseek on the stream of \"a\" in `save` at :17 (main)");
  EXPECT_EQ(said(kMainThread, kCas, Kind::file_write, 3), "the fputs on the stream in `save` at :17 (main)");
}

// "Because the store is relaxed": where a read missed a store, the orders of both are said.
TEST(OperationPlaces, MemoryOrdersAreSaidOfARunWithStaleReads) {
  StoredTrace run = three_times();
  const MemoryOrder orders[] = {MemoryOrder::relaxed, MemoryOrder::release, MemoryOrder::seq_cst};
  for (size_t i = 0; i < 3; ++i) run.events[i].order = orders[i];
  const auto said = [&](uint32_t n) { return words(OperationPlaces(run, make_model(run, told_of("take", {"cas", "cas", "cas"}), {})), n); };
  EXPECT_EQ(said(1), "the compare-and-swap in `take` at take.cc:17 (main)");
  run.events[2].flags = kEventStale;
  EXPECT_EQ(said(1), "the relaxed compare-and-swap in `take` at take.cc:17 (main)");
  EXPECT_EQ(said(2), "the 2nd release compare-and-swap in `take` at take.cc:17 (main)");
  EXPECT_EQ(said(3), "the 3rd compare-and-swap in `take` at take.cc:17 (main)");
}

TEST(OperationPlaces, ALateRoundSaysHowOftenItsThreadSlept) {
  StoredTrace run = three_times();
  run.events.resize(1);
  std::vector<std::string> told = {"cas"};
  for (uint32_t n = 2; n <= 20; ++n) {
    Event e = run.events[0];
    if (n % 2 == 0) e.kind = Kind::sleep, e.site = kCas + 1;
    e.occurrence = (n + 1) / 2;
    e.req = e.done = n;
    run.events.push_back(e);
    told.emplace_back(n % 2 == 0 ? "sleep" : "cas");
  }
  const OperationPlaces known = {run, make_model(run, told_of("poll", told), {})};
  EXPECT_EQ(words(known, 2), "the 2nd compare-and-swap in `poll` at poll.cc:17 (main)");
  EXPECT_EQ(words(known, 10), "the 10th compare-and-swap in `poll` at poll.cc:17 (main, after 9 sleeps)");
}

TEST(OperationPlaces, AFreeIsNoWrite) {
  StoredTrace run = three_times();
  for (Event& e : run.events) e.kind = Kind::plain_write;
  const OperationPlaces known = {run, make_model(run, told_of("drop", {"free P1", "write P1", "free"}), {})};
  const SiteNames names;
  OperationWords said(names, known);
  EXPECT_EQ(said(kMainThread, kCas, Kind::plain_write, 1), "the free in `drop` at drop.cc:17 (main)");
  EXPECT_EQ(said(kMainThread, kCas, Kind::plain_write, 2), "the write in `drop` at :17 (main)");
}

TEST(OperationPlaces, SeveralCallersAreNamedAndCountedApart) {
  const StoredTrace run = three_times();
  const OperationPlaces known = places(run, {{1, 2}, {1, 3}, {1, 2}});
  EXPECT_EQ(words(known, 1), "the compare-and-swap in `lock()` at lock.h:17, called at queue.cc:20 (main)");
  EXPECT_EQ(words(known, 2), "the compare-and-swap in `lock()` at lock.h:17, called at queue.cc:21 (main)");
  EXPECT_EQ(words(known, 3), "the 2nd compare-and-swap in `lock()` at lock.h:17, called at queue.cc:20 (main)");
}

TEST(OperationPlaces, OneCallerIsNotNamed) {
  const StoredTrace run = three_times();
  const OperationPlaces known = places(run, {{1, 2}, {1, 2}, {1, 2}});
  EXPECT_EQ(words(known, 2), "the 2nd compare-and-swap in `lock()` at lock.h:17 (main)");
  EXPECT_TRUE(known.find(kCas, Kind::atomic_cas));
}

// Such as the return of a wait that goes on at the end.
TEST(OperationPlaces, WhatTheFindingPreventedIsWhereTheThreadDidTheSameBefore) {
  const StoredTrace run = three_times();
  EXPECT_EQ(words(places(run, {{2, 0}, {2, 0}, {2, 0}}), 4), "the 4th compare-and-swap in `push` at queue.cc:20 (main)");
  EXPECT_EQ(words(places(run, {{1, 2}, {1, 2}, {1, 2}}), 4), "the 4th compare-and-swap in `lock()` at lock.h:17 (main)");
  EXPECT_EQ(words(places(run, {{2, 0}, {3, 0}, {2, 0}}), 4), "the 4th compare-and-swap at 0x0000000000000011 (main)");
}

TEST(OperationPlaces, CallersAreCountedOverTheRun) {
  StoredTrace run = three_times();
  run.threads.resize(2);
  run.threads[1].id = kMainThread + 1;
  run.events[2].thread = 1;
  run.events[2].occurrence = 1;
  const OperationPlaces known = places(run, {{1, 2}, {1, 2}, {1, 3}});
  EXPECT_EQ(words(known, 2), "the 2nd compare-and-swap in `lock()` at lock.h:17, called at queue.cc:20 (main)");
  Element open = {};
  open.site = kCas;
  open.kind = Kind::atomic_cas;
  const SiteNames names;
  const auto every = [&](ThreadId besides) { return OperationWords(names, known)(open, true, besides); };
  EXPECT_EQ(every(kMainThread), "every other thread's compare-and-swap in `lock()` at lock.h:17, called at queue.cc:21");
  EXPECT_EQ(every(kAnyThread), "every other thread's compare-and-swap in `lock()` at lock.h:17, called at queue.cc:20 or at :21");
}

// Two loads of "a + b" are not the same load twice.
TEST(OperationPlaces, SeveralPositionsInALineHaveTheirColumns) {
  const StoredTrace run = three_times();
  const std::string told =
      "{\"site\":1,\"function\":\"sum\",\"file\":\"/src/sum.cc\",\"line\":17,\"column\":10}\n"
      "{\"site\":2,\"function\":\"sum\",\"file\":\"/src/sum.cc\",\"line\":17,\"column\":14}\n"
      "{\"event\":0,\"at\":1,\"words\":\"cas\"}\n{\"event\":1,\"at\":2,\"words\":\"cas\"}\n{\"event\":2,\"at\":1,\"words\":\"cas\"}\n";
  const OperationPlaces known = {run, make_model(run, told, {})};
  EXPECT_EQ(words(known, 1), "the compare-and-swap in `sum` at sum.cc:17:10 (main)");
  EXPECT_EQ(words(known, 2), "the compare-and-swap in `sum` at sum.cc:17:14 (main)");
  EXPECT_EQ(words(known, 3), "the 2nd compare-and-swap in `sum` at sum.cc:17:10 (main)");
}

TEST(OperationPlaces, AMangledNameIsReadable) {
  const StoredTrace run = three_times();
  const OperationPlaces known = {run, make_model(run, "{\"site\":1,\"function\":\"_ZN5Queue4pushEi\",\"file\":\"/src/queue.cc\",\"line\":17}\n{\"event\":0,\"at\":1,\"words\":\"cas\"}\n", {})};
  EXPECT_EQ(words(known, 1), "the compare-and-swap in `push` at queue.cc:17 (main)");
  const OperationPlaces awaiting = {run, make_model(run, "{\"site\":1,\"function\":\"_ZNK3AddawEv\",\"file\":\"/src/add.cc\",\"line\":17}\n{\"event\":0,\"at\":1,\"words\":\"cas\"}\n", {})};
  EXPECT_EQ(words(awaiting, 1), "the compare-and-swap at add.cc:17 (main)");  // of an operator
}

// A macro has one column.
TEST(OperationPlaces, SeveralVariablesInALineAreNamed) {
  StoredTrace run = three_times();
  run.objects.resize(3);
  run.events[1].object = 2;
  const std::string told =
      "{\"object\":1,\"name\":\"a\",\"origin\":\"global variable, first used at sum.cc:17\"}\n"
      "{\"object\":2,\"name\":\"b\",\"origin\":\"global variable, first used at sum.cc:17\"}\n" +
      told_of("sum", {"cas", "cas", "cas"});
  const OperationPlaces known = {run, make_model(run, told, {})};
  EXPECT_EQ(words(known, 1), "the compare-and-swap of a in `sum` at sum.cc:17 (main)");
  EXPECT_EQ(words(known, 2), "the compare-and-swap of b in `sum` at sum.cc:17 (main)");
  EXPECT_EQ(words(known, 3), "the 2nd compare-and-swap of a in `sum` at sum.cc:17 (main)");
}

TEST(OperationPlaces, AnyThreadsOperationHasAPlaceIfThereIsOnlyOne) {
  const StoredTrace run = three_times();
  const OperationPlaces known = places(run, {{2, 0}, {3, 0}});
  EXPECT_FALSE(known.find(kCas, Kind::atomic_cas));
  EXPECT_EQ(words(known, 2), "the compare-and-swap in `push` at queue.cc:21 (main)");
}

TEST(OperationPlaces, WhatTheRunDidNotDoHasItsSitesName) {
  SiteNames names;
  names.add(kCas, {"/src/lock.h:17", "lock", "lock+0x1"});
  const OperationPlaces none;
  EXPECT_EQ(OperationWords(names, none)(kMainThread, kCas, Kind::atomic_cas, 2),
            "the 2nd compare-and-swap in `lock` at lock.h:17 (main)");
}

}  // namespace
}  // namespace heddle::cli
