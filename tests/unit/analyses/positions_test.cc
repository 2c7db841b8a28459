#include "analyses/report/positions.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "analyses/report/symbolizer.h"
#include "base/path.h"
#include "trace/sites.h"

namespace heddle::rt {
namespace {

__attribute__((noinline)) uintptr_t where() { return reinterpret_cast<uintptr_t>(__builtin_return_address(0)); }

int some_global = 0;

TEST(Positions, HaveSourceLines) {
  if (system("command -v llvm-symbolizer > /dev/null") != 0) GTEST_SKIP() << "no llvm-symbolizer";
  sites().initialise();
  const uint32_t line = __LINE__ + 1;
  const uint32_t site = sites().index_of(where());
  const Frame& frame = user_frame(site);
  ASSERT_NE(frame.file, nullptr);
  EXPECT_STREQ(base_name(frame.file), "positions_test.cc");
  EXPECT_EQ(frame.line, line);
  Text text;
  text.clear();
  put_place(text, site);
  EXPECT_EQ(std::string(text.view()), "positions_test.cc:" + std::to_string(line));
  // Asked once, kept for good.
  stop_symbolizer();
  EXPECT_EQ(&user_frame(site), &frame);
}

__attribute__((noinline)) uint32_t site_at_line_zero() {
  some_global = 1;
#line 0
  const uint32_t site = sites().index_of(where());
#line 1000
  return site;
}

TEST(Positions, CompilersOwnCodeHasTheLineBefore) {
  if (system("command -v llvm-symbolizer > /dev/null") != 0) GTEST_SKIP() << "no llvm-symbolizer";
  sites().initialise();
  const Frame& frame = user_frame(site_at_line_zero());
  EXPECT_STREQ(frame.function, "heddle::rt::site_at_line_zero");
  EXPECT_NE(frame.line, 0u);
}

// Dies in its own process, because the first question determines which symbolizer is used.
TEST(PositionsDeathTest, FunctionAndOffsetWithoutASymbolizer) {
  for (const char* program : {"/nonexistent", "/bin/false"}) {
    EXPECT_EXIT(
        {
          setenv("HEDDLE_SYMBOLIZER", program, 1);
          sites().initialise();
          const Frame& frame = user_frame(sites().index_of(where()));
          _exit(frame.file == nullptr && std::string(frame.function).find("+0x") != std::string::npos ? 3 : 4);
        },
        ::testing::ExitedWithCode(3), "");
  }
}

TEST(Positions, GlobalsHaveNames) {
  uintptr_t offset = 99;
  const char* name = datum_name(reinterpret_cast<uintptr_t>(&some_global), offset);
  ASSERT_NE(name, nullptr);
  EXPECT_EQ(offset, 0u);
  EXPECT_NE(std::string(name).find("some_global"), std::string::npos);
  int local = 0;
  EXPECT_EQ(datum_name(reinterpret_cast<uintptr_t>(&local), offset), nullptr);
}

}  // namespace
}  // namespace heddle::rt
