#include "restore/library_caches.h"

#include <gtest/gtest.h>

#include <locale>

namespace {

#ifdef __GLIBCXX__
// libstdc++'s tables, which code inlined into programs fills and reads.
struct Tables : std::ctype<char> {
  static const auto& narrow(const std::ctype<char>& c) { return c.*&Tables::_M_narrow; }
  static const auto& widen(const std::ctype<char>& c) { return c.*&Tables::_M_widen; }
  static bool narrow_full(const std::ctype<char>& c) { return c.*&Tables::_M_narrow_ok != 0; }
  static bool widen_full(const std::ctype<char>& c) { return c.*&Tables::_M_widen_ok != 0; }
};

TEST(LibraryCaches, AllCharactersAreKnownBeforeTheFirstExecution) {
  const auto& c = std::use_facet<std::ctype<char>>(std::locale::classic());
  EXPECT_FALSE(Tables::narrow_full(c));
  heddle::rt::fill_library_caches();
  EXPECT_TRUE(Tables::narrow_full(c));
  EXPECT_TRUE(Tables::widen_full(c));
  for (int i = 1; i < 256; ++i) {
    EXPECT_EQ(Tables::narrow(c)[i], static_cast<char>(i));
    EXPECT_EQ(Tables::widen(c)[i], static_cast<char>(i));
  }
}
#endif

}  // namespace
