#include <gtest/gtest.h>

#include <regex>
#include <string>

#include "analyses/report/terminal.h"

namespace heddle::rt {
namespace {

constexpr char kReport[] =
    "==1==ERROR: HeddleSanitizer: deadlock on address 0x1\n"
    "    #0 0x1 in push /src/queue.cc:41:3\n"
    "    #1 0x1 in odd /src/a b.cc:41:3\n"
    "The interleaving, one column per thread, time goes down:\n"
    "    5  lock m (:9), written by main (:12)\n"
    "       *BLOCKED: lock n (:10)\n"
    "       *lock n (:11)\n"
    "Threads:\n"
    "  main.0: created by main at queue.cc:9 (:9)\n"
    "SUMMARY: HeddleSanitizer: deadlock /src/queue.cc:41:3 in push\n";

std::string shown(Terminal terminal, const char* file = "/src/queue.cc") {
  Text out;
  out.clear();
  put_for_terminal(out, kReport, terminal, file);
  return std::string(out.view());
}

TEST(Terminal, TheTextIsTheSame) {
  EXPECT_EQ(shown({false, false}), kReport);
  const std::regex escapes("\033\\[[0-9;]*m|\033\\]8;;[^\033]*\033\\\\");
  EXPECT_EQ(std::regex_replace(shown({true, true}), escapes, ""), kReport);
}

TEST(Terminal, ColoursFollowTheMarks) {
  const std::string text = shown({true, false});
  EXPECT_NE(text.find("\033[1;31m==1==ERROR: HeddleSanitizer: deadlock on address 0x1\033[0m\n"), text.npos);
  EXPECT_NE(text.find("\033[33m       *BLOCKED: lock n (:10)\033[0m\n"), text.npos);
  EXPECT_NE(text.find("\033[1m       *lock n (:11)\033[0m\n"), text.npos);
  EXPECT_NE(text.find("\n    5  lock m (:9)"), text.npos);
  EXPECT_EQ(text.find("]8;;"), text.npos);
}

TEST(Terminal, PlacesAreLinks) {
  const std::string text = shown({false, true});
  EXPECT_NE(text.find("\033]8;;file:///src/queue.cc#41\033\\/src/queue.cc:41\033]8;;\033\\:3"), text.npos);
  EXPECT_NE(text.find("(\033]8;;file:///src/queue.cc#12\033\\:12\033]8;;\033\\)"), text.npos);
  EXPECT_NE(text.find("/src/a b.cc:41:3"), text.npos);
  EXPECT_NE(text.find("at queue.cc:9 (:9)\n"), text.npos);
  EXPECT_NE(shown({false, true}, nullptr).find("lock m (:9)"), text.npos);
}

}  // namespace
}  // namespace heddle::rt
