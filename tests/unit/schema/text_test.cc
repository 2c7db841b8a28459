#include "schema/text.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <fstream>
#include <sstream>

#include "schema/codec.h"
#include "tests/unit/schema/samples.h"

namespace heddle {
namespace {

std::string error_of(std::string_view lines, const SiteNames* names = nullptr) {
  Schedule out;
  std::string error;
  EXPECT_FALSE(from_text("heddle schedule 1\n" + std::string(lines), out, error, names));
  EXPECT_EQ(error.find('\n'), std::string::npos);
  return error;
}

SiteNames some_names() {
  SiteNames names;
  names.add(0x10, {"src/queue.cc:41:3", "Queue::push(int, int)", "_Zpush+0x10"});
  names.add(0x11, {"src/queue.cc:41:9", "Queue::push(int, int)", "_Zpush+0x20"});
  names.add(0x12, {"src/queue.cc:60", "Queue::pop", "_Zpop+0x4"});
  return names;
}

RC_GTEST_PROP(Text, RoundTrips, (uint64_t seed)) {
  Schedule s = Sampler(seed).schedule(), again;
  clamp_schedule(s);
  const SiteNames names = some_names();
  std::string error;
  RC_ASSERT(from_text(to_text(s, &names), again, error));
  RC_ASSERT(again == s);
  RC_ASSERT(to_text(again, &names) == to_text(s, &names));
}

RC_GTEST_PROP(Text, AnyTextIsSafe, (uint64_t seed)) {
  Sampler sampler(seed);
  std::string text = to_text(sampler.schedule());
  for (int i = 0; i < 4; ++i) text[sampler.below(text.size())] = static_cast<char>(sampler.bits());
  Schedule out, again;
  std::string error;
  if (from_text(text, out, error)) {
    RC_ASSERT(from_text(to_text(out), again, error));
    RC_ASSERT(again == out);
  } else {
    RC_ASSERT(error.starts_with("line "));
    RC_ASSERT(out == Schedule{});
  }
}

TEST(Text, AssumptionsAreWords) {
  Schedule s;
  std::string error;
  ASSERT_TRUE(from_text("heddle schedule 1\nassume patient-timeouts no-spurious-wakes\n", s, error)) << error;
  EXPECT_EQ(s.assumes, kNoSpuriousWakes | kPatientTimeouts);
  EXPECT_EQ(to_text(s), "heddle schedule 1\nassume no-spurious-wakes patient-timeouts\n");
  EXPECT_EQ(error_of("assume luck"), "line 2: 'luck' is not an assumption; write one of no-spurious-wakes, patient-timeouts, "
                                      "endless-threads-intended");
  EXPECT_NE(error_of("assume").find("an assumption"), std::string::npos);
}

TEST(Text, ExampleOfTheDocumentIsAFixpoint) {
  std::ifstream file(HEDDLE_SCHEDULE_FORMAT);
  std::stringstream all;
  all << file.rdbuf();
  const std::string doc = all.str();
  const size_t begin = doc.find("heddle schedule 1\n");
  ASSERT_NE(begin, std::string::npos);
  const std::string example = doc.substr(begin, doc.find("```", begin) - begin);
  Schedule s;
  std::string error;
  ASSERT_TRUE(from_text(example, s, error)) << error;
  SiteNames names;
  names.add(0x9a3f000000000001, {"queue.cc:41", "Queue::push", ""});
  EXPECT_EQ(to_text(s, &names), example);
  ASSERT_EQ(s.elements.size(), 3u);
  EXPECT_EQ(s.elements[0].kind, Kind::mutex_lock);
  EXPECT_EQ(s.elements[0].occurrence, 2u);
  EXPECT_EQ(s.elements[2].thread_var, 1);
  EXPECT_EQ(s.reads_from.size(), 2u);
  EXPECT_EQ(std::string(s.payload.begin(), s.payload.end()), "GET /\n");
}

TEST(Text, SitesByName) {
  const SiteNames names = some_names();
  Schedule s;
  std::string error;
  ASSERT_TRUE(
      from_text("heddle schedule 1\nchain 0\n any mutex_lock @queue.cc:60\n"
                " any mutex_lock @_Zpush+0x20\n any mutex_lock @\"Queue::pop\" #3\n",
                s, error, &names))
      << error;
  EXPECT_EQ(s.elements[0].site, 0x12u);
  EXPECT_EQ(s.elements[1].site, 0x11u);
  EXPECT_EQ(s.elements[2].site, 0x12u);
  const std::string ambiguous = error_of("surw-site @queue.cc:41\n", &names);
  EXPECT_NE(ambiguous.find("@0x0000000000000010"), std::string::npos) << ambiguous;
  EXPECT_NE(error_of("surw-site @queue.cc:42\n", &names).find("Queue::pop"), std::string::npos);
  EXPECT_NE(error_of("surw-site @queue.cc:42\n").find("write its number"), std::string::npos);
}

TEST(Text, ErrorsSayWhereAndWhat) {
  EXPECT_TRUE(error_of("seed 1\nseed 2").starts_with("line 3: 'seed' is already on line 2"));
  EXPECT_TRUE(error_of("any mutex_lock @0x1").starts_with("line 2: an element stands before"));
  EXPECT_NE(error_of("strategy poz").find("random_walk"), std::string::npos);
  for (const char* bad :
       {"chain 16", "seed", "seed x", "seed 1 2", "pct-depth 256", "payload x", "payload \"a",
        "payload \"\\q\"", "payload-hex 0", "frob", "chain 0\n T0 yield @0x1",
        "delay any yield @0x1", "weight main.x 2",
        "select any select @0x1 instance 1 takes 2147483648",
        "reads-from any atomic_load @0x1 < initial", "seed 0x10000000000000000"}) {
    EXPECT_TRUE(error_of(bad).starts_with("line ")) << bad;
  }
}

}  // namespace
}  // namespace heddle
