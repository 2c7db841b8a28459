// What functions of the C library read and write for the program is known to the race detector: these bytes and no others.
#include <gtest/gtest.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

#include <cstdio>
#include <cstdlib>

#include "library_access_lab.h"

extern "C" {
// As these functions are called before the runtime is combined.
int heddle_program_memcmp(const void*, const void*, size_t);
int heddle_program_bcmp(const void*, const void*, size_t);
int heddle_program_strcmp(const char*, const char*);
int heddle_program_strncmp(const char*, const char*, size_t);
int heddle_program_strcasecmp(const char*, const char*);
int heddle_program_strncasecmp(const char*, const char*, size_t);
char* heddle_program_strstr(const char*, const char*);
char* heddle_program_strcasestr(const char*, const char*);
void* heddle_program_memmem(const void*, size_t, const void*, size_t);
}

namespace heddle::test {
namespace {

volatile size_t sink;
void* (*volatile copy_bytes)(void*, const void*, size_t) = mempcpy;
const char* volatile kept;

TEST(LibraryAccess, Lengths) {
  EXPECT_EQ(accesses("abc", "", [] { sink = strlen(from); }), "rrrr|");
  EXPECT_EQ(accesses("abc", "", [] { sink = strnlen(from, 2); }), "rr|");
  EXPECT_EQ(accesses("abc", "", [] { sink = strnlen(from, 9); }), "rrrr|");
  EXPECT_EQ(accesses("", "", [] { sink = strlen(from); }), "r|");
}

TEST(LibraryAccess, Searches) {
  EXPECT_EQ(accesses("abcd", "", [] { sink = strchr(from, 'b') != nullptr; }), "rr|");
  EXPECT_EQ(accesses("abcd", "", [] { sink = strchr(from, 'z') != nullptr; }), "rrrrr|");
  EXPECT_EQ(accesses("abcd", "", [] { sink = strrchr(from, 'a') != nullptr; }), "rrrrr|");
  EXPECT_EQ(accesses("abcd", "", [] { sink = memchr(from, 'c', 8) != nullptr; }), "rrr|");
  EXPECT_EQ(accesses("abcd", "", [] { sink = memchr(from, 'z', 3) != nullptr; }), "rrr|");
  EXPECT_EQ(accesses("abcd", "c", [] { sink = strcspn(from, to); }), "rrr|rr");
}

TEST(LibraryAccess, Comparisons) {
  EXPECT_EQ(accesses("abc", "abc", [] { sink = heddle_program_memcmp(from, to, 2); }), "rr|rr");
  EXPECT_EQ(accesses("abc", "xbc", [] { sink = heddle_program_bcmp(from, to, 3); }), "rrr|rrr");
  EXPECT_EQ(accesses("abc", "abc", [] { sink = heddle_program_strcmp(from, to); }), "rrrr|rrrr");
  EXPECT_EQ(accesses("abc", "abx", [] { sink = heddle_program_strcmp(from, to); }), "rrr|rrr");
  EXPECT_EQ(accesses("ab", "abc", [] { sink = heddle_program_strcmp(from, to); }), "rrr|rrr");
  EXPECT_EQ(accesses("abc", "abc", [] { sink = heddle_program_strncmp(from, to, 2); }), "rr|rr");
  EXPECT_EQ(accesses("ABC", "abx", [] { sink = heddle_program_strcasecmp(from, to); }), "rrr|rrr");
  EXPECT_EQ(accesses("ABC", "abc", [] { sink = heddle_program_strncasecmp(from, to, 9); }), "rrrr|rrrr");
  EXPECT_EQ(accesses("abcd", "bc", [] { sink = heddle_program_strstr(from, to) != nullptr; }), "rrr|rrr");
  EXPECT_EQ(accesses("abcd", "x", [] { sink = heddle_program_strstr(from, to) != nullptr; }), "rrrrr|rr");
  EXPECT_EQ(accesses("abcd", "BC", [] { sink = heddle_program_strcasestr(from, to) != nullptr; }), "rrr|rrr");
  EXPECT_EQ(accesses("abcd", "bc", [] { sink = heddle_program_memmem(from, 4, to, 2) != nullptr; }), "rrrr|rr");
}

TEST(LibraryAccess, Copies) {
  EXPECT_EQ(accesses("abc", "", [] { strcpy(to, from); }), "rrrr|wwww");
  EXPECT_EQ(accesses("abc", "", [] { stpcpy(to, from); }), "rrrr|wwww");
  EXPECT_EQ(accesses("abc", "", [] { strncpy(to, from, 6); }), "rrrr|wwwwww");
  EXPECT_EQ(accesses("abc", "", [] { strncpy(to, from, 2); }), "rr|ww");
  EXPECT_EQ(accesses("abc", "12", [] { strcat(to, from); }), "rrrr|rrbwww");
  EXPECT_EQ(accesses("abc", "12", [] { strncat(to, from, 2); }), "rr|rrbww");
  EXPECT_EQ(accesses("abc", "12", [] { strncat(to, from, 9); }), "rrrr|rrbwww");
  EXPECT_EQ(accesses("abc", "", [] { copy_bytes(to, from, 3); }), "rrr|www");
  EXPECT_EQ(accesses("abc", "", [] {
              kept = strdup(from);
              free(const_cast<char*>(kept));
            }), "rrrr|");
  EXPECT_EQ(accesses("", "", [] { explicit_bzero(to, 3); }), "|www");
  EXPECT_EQ(accesses("abc", "", [] { memccpy(to, from, 'b', 9); }), "rr|ww");
}

TEST(LibraryAccess, Numbers) {
  EXPECT_EQ(accesses("12x4", "", [] { sink = static_cast<size_t>(strtol(from, nullptr, 10)); }), "rrr|");
  EXPECT_EQ(accesses("1.5", "", [] { sink = static_cast<size_t>(strtod(from, nullptr)); }), "rrrr|");
  EXPECT_EQ(accesses("77", "", [] { sink = static_cast<size_t>(atoi(from)); }), "rrr|");
}

TEST(LibraryAccess, Tokens) {
  char* rest = nullptr;
  EXPECT_EQ(accesses("ab,cd", ",", [&] { EXPECT_EQ(strtok_r(from, to, &rest), from); }), "rrb|rr");
  EXPECT_EQ(accesses(",ab", ",", [&] { EXPECT_EQ(strtok_r(from, to, &rest), from + 1); }), "rrrr|rr");
  EXPECT_EQ(accesses(",,", ",", [&] { EXPECT_EQ(strtok_r(from, to, &rest), nullptr); }), "rrr|rr");
  rest = from + 3;
  EXPECT_EQ(accesses("ab,cd", ",", [&] { EXPECT_EQ(strtok_r(nullptr, to, &rest), from + 3); }), "...rrr|rr");
  EXPECT_EQ(accesses("ab,cd", ",", [&] { EXPECT_EQ(strtok(from, to), from); }), "rrb|rr");
  EXPECT_EQ(accesses("ab,cd", ",", [&] {
              EXPECT_EQ(strtok(from, to), from);
              EXPECT_STREQ(strtok(nullptr, to), "cd");
              EXPECT_EQ(strtok(nullptr, to), nullptr);
            }), "rrbrrr|rr");
  char* at = from;
  EXPECT_EQ(accesses("a,,", ",", [&] { EXPECT_EQ(strsep(&at, to), from); }), "rb|rr");
  EXPECT_EQ(accesses(",,", ",", [&] { EXPECT_EQ(strsep(&(at = from), to), from); }), "b|rr");
}

TEST(LibraryAccess, Wide) {
  wchar_t* const wide_from = reinterpret_cast<wchar_t*>(from);
  wchar_t* const wide_to = reinterpret_cast<wchar_t*>(to);
  wchar_t* rest = nullptr;
  mbstate_t state = {};
  const auto of = [&](const wchar_t* text, std::function<void()> call) {
    return accesses("", "", [&] {
      for (size_t i = 0; i == 0 || text[i - 1] != 0; ++i) wide_from[i] = text[i];
      call();
    });
  };
  EXPECT_EQ(of(L"a,b", [&] { EXPECT_EQ(wcstok(wide_from, L",", &rest), wide_from); }), "rrrrbbbb|");
  EXPECT_EQ(of(L"12x", [&] { EXPECT_EQ(wcstol(wide_from, nullptr, 10), 12); }), "rrrrrrrrrrrr|");
  EXPECT_EQ(of(L"abc", [&] { EXPECT_EQ(wcsstr(wide_from, L"b"), wide_from + 1); }), "rrrrrrrr|");
  EXPECT_EQ(of(L"AB", [&] { EXPECT_NE(wcscasecmp(wide_from, L"ac"), 0); }), "rrrrrrrr|");
  EXPECT_EQ(accesses("x", "", [&] { EXPECT_EQ(mbrtowc(wide_to, from, 5, &state), 1u); }), "r|wwww");
  EXPECT_EQ(accesses("", "", [&] { EXPECT_EQ(wcrtomb(to, L'x', &state), 1u); }), "|w");
  EXPECT_EQ(accesses("", "", [&] { sink = wcslen(L"nothing of theirs"); }), "|");
  EXPECT_EQ(accesses("a\0\0\0\0\0\0\0", "", [&] { wide_from[0] = L'a', wide_from[1] = 0, wcscpy(wide_to, wide_from); }), "rrrrrrrr|wwwwwwww");
  EXPECT_EQ(accesses("", "", [&] { wmemset(wide_to, L'x', 1); }), "|wwww");
  EXPECT_EQ(accesses("abc", "", [&] { EXPECT_EQ(mbstowcs(wide_to, from, 2), 2); }), "rrrr|wwwwwwww");
}

TEST(LibraryAccess, Dates) {
  const time_t second = 0;
  tm date = {};
  EXPECT_EQ(accesses("", "", [&] { gmtime_r(&second, reinterpret_cast<tm*>(to)); }), "|" + std::string(sizeof(tm), 'w'));
  EXPECT_EQ(accesses("", "", [&] { sink = strftime(to, 20, "%H:%M", &date); }), "|wwwwww");
  EXPECT_EQ(accesses("", "", [&] { asctime_r(&date, to); }), "|" + std::string(26, 'w'));
}

TEST(LibraryAccess, Paths) {
  EXPECT_EQ(accesses("/no/such", "", [&] { EXPECT_EQ(unlink(from), -1); }), "rrrrrrrrr|");
  EXPECT_EQ(accesses("/no/such", "", [&] { EXPECT_EQ(fopen(from, "r"), nullptr); }), "rrrrrrrrr|");
}

// What they do is what they do without heddle.
TEST(LibraryAccess, TheResultIsTheLibrarys) {
  char text[32] = "";
  EXPECT_EQ(strcpy(text, "ab"), text);
  EXPECT_EQ(strcat(text, "cd"), text);
  EXPECT_STREQ(text, "abcd");
  EXPECT_EQ(snprintf(text, 4, "%s", "longer"), 6);
  EXPECT_STREQ(text, "lon");
  char* end = nullptr;
  EXPECT_EQ(strtol("42rest", &end, 10), 42);
  EXPECT_STREQ(end, "rest");
}

}  // namespace
}  // namespace heddle::test
