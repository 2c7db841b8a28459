// What printing and scanning read and write for the program.
#include <err.h>
#include <gtest/gtest.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <wchar.h>

#include "library_access_lab.h"

// These programs say nothing to the compiler that it could check.
#pragma clang diagnostic ignored "-Wformat"
#pragma clang diagnostic ignored "-Wformat-security"

namespace heddle::test {
namespace {

TEST(LibraryPrint, WhatIsWritten) {
  EXPECT_EQ(accesses("", "", [] { snprintf(to, 20, "%d", 123); }), "|wwww");
  EXPECT_EQ(accesses("", "", [] { snprintf(to, 3, "%d", 123); }), "|www");
  EXPECT_EQ(accesses("", "", [] { snprintf(to, 0, "%d", 123); }), "|");
  EXPECT_EQ(accesses("", "", [] { sprintf(to, "%s!", "ab"); }), "|wwww");
}

TEST(LibraryPrint, Texts) {
  char out[64];
  EXPECT_EQ(accesses("abc", "", [&] { snprintf(out, sizeof out, "%s", from); }), "rrrr|");
  EXPECT_EQ(accesses("abc", "de", [&] { snprintf(out, sizeof out, "%-9s%d %c%s", from, 1, 'x', to); }), "rrrr|rrr");
  EXPECT_EQ(accesses("abc", "", [&] { snprintf(out, sizeof out, "%.2s", from); }), "rr|");
  EXPECT_EQ(accesses("abc", "", [&] { snprintf(out, sizeof out, "%.*s", 1, from); }), "r|");
  EXPECT_EQ(accesses("abc", "", [&] { snprintf(out, sizeof out, "%.*s", -1, from); }), "rrrr|");
  EXPECT_EQ(accesses("abc", "", [&] { snprintf(out, sizeof out, "%.8s", from); }), "rrrr|");
  EXPECT_EQ(accesses("abc", "", [&] { snprintf(out, 2, "%s", from); }), "rrrr|");
  EXPECT_EQ(accesses("abc", "", [&] { snprintf(out, sizeof out, "%f%Lf%s", 1.0, 2.0L, from); }), "rrrr|");
  EXPECT_EQ(accesses("abc", "", [&] { snprintf(out, sizeof out, "%s", static_cast<char*>(nullptr)); }), "|");
  EXPECT_EQ(accesses("abc", "", [&] { snprintf(out, sizeof out, "%p%%%m", from); }), "|");
  EXPECT_EQ(accesses("", "", [&] {
              wcscpy(reinterpret_cast<wchar_t*>(from), L"ab");
              snprintf(out, sizeof out, "%ls", reinterpret_cast<wchar_t*>(from));
            }), "bbbbbbbbbbbb|");
}

wchar_t* wide(char* at) { return reinterpret_cast<wchar_t*>(at); }

TEST(LibraryPrint, WideTexts) {
  char out[64];
  wchar_t wide_out[64];
  const auto printed = [&](const wchar_t* text, std::function<void()> print) {
    return accesses("", "", [&] {
      for (size_t i = 0; i == 0 || text[i - 1] != 0; ++i) wide(from)[i] = text[i];
      print();
    });
  };
  EXPECT_EQ(printed(L"abc", [&] { snprintf(out, sizeof out, "%.2ls", wide(from)); }), "rrrrrrrr|");
  EXPECT_EQ(printed(L"abc", [&] { snprintf(out, sizeof out, "%.3ls", wide(from)); }), "rrrrrrrrrrrr|");
  EXPECT_EQ(printed(L"ab", [&] { snprintf(out, sizeof out, "%.9ls", wide(from)); }), "rrrrrrrrrrrr|");
  EXPECT_EQ(printed(L"ab", [&] { snprintf(out, sizeof out, "%.0ls", wide(from)); }), "|");
  EXPECT_EQ(printed(L"abc", [&] { swprintf(wide_out, 64, L"%.2ls", wide(from)); }), "rrrrrrrr|");
  EXPECT_EQ(printed(L"abc", [&] { swprintf(wide_out, 64, L"%ls", wide(from)); }), "rrrrrrrrrrrrrrrr|");
  EXPECT_EQ(accesses("abc", "", [&] { swprintf(wide_out, 64, L"%s", from); }), "rrrr|");
  EXPECT_EQ(accesses("abc", "", [&] { swprintf(wide_out, 64, L"%.2s", from); }), "rr|");
  EXPECT_EQ(accesses("abc", "", [&] { swprintf(wide_out, 64, L"%.9s", from); }), "rrrr|");
  EXPECT_EQ(accesses("", "", [&] { swprintf(wide(to), 9, L"%d", 12); }), "|wwwwwwwwwwww");
  EXPECT_EQ(accesses("", "", [&] { swprintf(wide(to), 2, L"%d", 12); }), "|wwwwwwww");
  EXPECT_EQ(accesses("", "", [&] { swprintf(wide(to), 0, L"%d", 12); }), "|");
  EXPECT_EQ(printed(L"12", [&] { EXPECT_EQ(swscanf(wide(from), L"%d", reinterpret_cast<int*>(to)), 1); }), "rrrrrrrrrrrr|wwww");
  FILE* const file = tmpfile();
  EXPECT_EQ(printed(L"ab", [&] { fwprintf(file, L"%ls", wide(from)); }), "rrrrrrrrrrrr|");
  EXPECT_EQ(printed(L"ab", [&] { fputws(wide(from), file); }), "rrrrrrrrrrrr|");
  rewind(file);
  EXPECT_EQ(accesses("", "", [&] { EXPECT_EQ(fgetws(wide(to), 3, file), wide(to)); }), "|wwwwwwwwwwww");
  rewind(file);
  EXPECT_EQ(accesses("", "", [&] { EXPECT_EQ(fwscanf(file, L"%3s", to), 1); }), "|wwww");
  fclose(file);
}

TEST(LibraryPrint, Positions) {
  char out[64];
  EXPECT_EQ(accesses("abc", "de", [&] { snprintf(out, sizeof out, "%2$s%1$s", from, to); }), "rrrr|rrr");
  EXPECT_STREQ(out, "deabc");
  EXPECT_EQ(accesses("abc", "de", [&] { snprintf(out, sizeof out, "%3$.2s%4$f%1$-5d%2$.*5$s", 7, to, from, 1.5, 1); }), "rr|r");
  EXPECT_STREQ(out, "ab1.5000007    d");
  EXPECT_EQ(accesses("abc", "de", [&] { snprintf(out, sizeof out, "%2$s%2$s", from, to); }), "|");  // the type of the first one is unknown
  char* volatile format = out;
  snprintf(out, sizeof out, "%%65$s%%1$s");
  EXPECT_EQ(accesses("abc", "", [&] { snprintf(nullptr, 0, format, from); }), "|");
  int n = 0;
  EXPECT_EQ(accesses("12 ab", "", [&] { EXPECT_EQ(sscanf(from, "%2$d %1$s", to, &n), 2); }), "rrrrrr|www");
  EXPECT_EQ(n, 12);
}

TEST(LibraryPrint, Counts) {
  char out[64];
  char* volatile format = from;
  EXPECT_EQ(accesses("ab%n", "", [&] { snprintf(out, sizeof out, format, to); }), "rrrrr|wwww");
  EXPECT_EQ(accesses("ab%hhn", "", [&] { snprintf(out, sizeof out, format, to); }), "rrrrrrr|w");
  EXPECT_EQ(accesses("ab%lln", "", [&] { snprintf(out, sizeof out, format, to); }), "rrrrrrr|wwwwwwww");
}

TEST(LibraryPrint, Scans) {
  int n = 0;
  EXPECT_EQ(accesses("12 ab", "", [&] { EXPECT_EQ(sscanf(from, "%d %s", &n, to), 2); }), "rrrrrr|www");
  EXPECT_EQ(accesses("12", "", [&] { EXPECT_EQ(sscanf(from, "%hd", reinterpret_cast<short*>(to)), 1); }), "rrr|ww");
  EXPECT_EQ(accesses("x", "", [&] { EXPECT_EQ(sscanf(from, "%d", reinterpret_cast<int*>(to)), 0); }), "rr|");
  EXPECT_EQ(accesses("1 x", "", [&] { EXPECT_EQ(sscanf(from, "%*d %c", to), 1); }), "rrrr|w");
  EXPECT_EQ(accesses("ab1", "", [&] { EXPECT_EQ(sscanf(from, "%[a-z]%d", to, &n), 2); }), "rrrr|www");
}

TEST(LibraryPrint, EveryForm) {
  FILE* const file = tmpfile();
  char* made = nullptr;
  EXPECT_EQ(accesses("abc", "", [&] { fprintf(file, "%s", from); }), "rrrr|");
  EXPECT_EQ(accesses("abc", "", [&] { dprintf(fileno(file), "%s", from); }), "rrrr|");
  EXPECT_EQ(accesses("abc", "", [&] { printf("%s\n", from); }), "rrrr|");
  EXPECT_EQ(accesses("abc", "", [&] { free((asprintf(&made, "%s", from), made)); }), "rrrr|");
  EXPECT_EQ(accesses("abc", "", [&] { warnx("%s", from); }), "rrrr|");
  fclose(file);
}

TEST(LibraryPrint, Streams) {
  FILE* const file = tmpfile();
  EXPECT_EQ(accesses("abc", "", [&] { fputs(from, file); }), "rrrr|");
  EXPECT_EQ(accesses("abc", "", [&] { puts(from); }), "rrrr|");
  EXPECT_EQ(accesses("abc", "", [&] { fwrite(from, 1, 3, file); }), "rrr|");
  EXPECT_EQ(accesses("abc", "", [&] { fwrite_unlocked(from, 1, 2, file); }), "rr|");
  rewind(file);
  EXPECT_EQ(accesses("", "", [&] { EXPECT_EQ(fread(to, 2, 2, file), 2); }), "|wwww");
  EXPECT_EQ(accesses("", "", [&] { EXPECT_EQ(fgets(to, 4, file), to); }), "|wwww");
  EXPECT_EQ(accesses("", "", [&] { EXPECT_EQ(fgets(to, 9, file), to); }), "|ww");
  EXPECT_EQ(accesses("", "", [&] { EXPECT_EQ(fgets(to, 9, file), nullptr); }), "|");
  rewind(file);
  EXPECT_EQ(accesses("", "", [&] { EXPECT_EQ(fscanf(file, "%3s", to), 1); }), "|wwww");
  fclose(file);
}

TEST(LibraryPrint, DescriptorsOfOutside) {
  FILE* const file = tmpfile();
  const int fd = fileno(file);
  EXPECT_EQ(accesses("abc", "", [&] { EXPECT_EQ(write(fd, from, 3), 3); }), "rrr|");
  EXPECT_EQ(accesses("abc", "", [&] { EXPECT_EQ(pwrite(fd, from, 2, 3), 2); }), "rr|");
  EXPECT_EQ(accesses("", "", [&] { EXPECT_EQ(pread(fd, to, 9, 0), 5); }), "|wwwww");
  lseek(fd, 0, SEEK_SET);
  EXPECT_EQ(accesses("", "", [&] { EXPECT_EQ(read(fd, to, 2), 2); }), "|ww");
  EXPECT_EQ(accesses("", "", [&] { EXPECT_EQ(read(fd, to, 9), 3); }), "|www");
  EXPECT_EQ(accesses("", "", [&] { EXPECT_EQ(read(fd, to, 9), 0); }), "|");
  fclose(file);
}

}  // namespace
}  // namespace heddle::test
