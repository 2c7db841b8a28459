#include "analyses/report/symbolizer_memory.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace heddle::rt {
namespace {

std::string found(const SymbolizerMemory& memory, std::string_view question) {
  size_t size = 0;
  const char* const answer = memory.find(question, size);
  return answer != nullptr ? std::string(answer, size) : "nothing";
}

TEST(SymbolizerMemory, FindsWhatWasAdded) {
  const auto memory = std::make_unique<SymbolizerMemory>();
  EXPECT_EQ(found(*memory, "CODE \"a\" 0x1"), "nothing");
  memory->add("CODE \"a\" 0x1", "one\n");
  memory->add("CODE \"a\" 0x2", "");
  memory->add("DATA \"a\" 0x1", "three lines\n\n\n");
  EXPECT_EQ(found(*memory, "CODE \"a\" 0x1"), "one\n");
  EXPECT_EQ(found(*memory, "CODE \"a\" 0x2"), "");
  EXPECT_EQ(found(*memory, "DATA \"a\" 0x1"), "three lines\n\n\n");
  EXPECT_EQ(found(*memory, "CODE \"a\" 0x3"), "nothing");
}

TEST(SymbolizerMemory, KeepsWhatItHasWhenItIsFull) {
  const auto memory = std::make_unique<SymbolizerMemory>();
  const std::string answer(1000, 'x');
  int known = 0;
  for (int i = 0; i < 1000; ++i) memory->add(std::to_string(i), answer);
  for (int i = 0; i < 1000; ++i) {
    const std::string now = found(*memory, std::to_string(i));
    known += now == answer;
    EXPECT_EQ(now == answer, i < known) << i;
  }
  EXPECT_GT(known, 200);
  EXPECT_LT(known, 300);
}

}  // namespace
}  // namespace heddle::rt
