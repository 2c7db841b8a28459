// heddle: expect=pass runs=300 options=report_races=1
// Streams of the library's own: threads may all write to std::clog.
#include <heddle/heddle.h>

#include <cassert>
#include <iomanip>
#include <iostream>
#include <regex>
#include <sstream>
#include <thread>

HEDDLE_FUZZ_TEST(streams) {
  const auto use = [](int n) {
    std::clog << n << ' ' << 0.5 << std::endl;
    std::ostringstream out;
    out << std::setw(5) << std::setfill('x') << n << std::hex << 255;
    assert(out.str() == "xxxx" + std::to_string(n) + "ff");
    std::istringstream in("12 abc 3.5");
    int number;
    std::string word;
    double fraction;
    in >> number >> word >> fraction;
    assert(number == 12 && fraction == 3.5 && std::regex_match(word, std::regex("a.*c")));
  };
  std::thread one(use, 1), two(use, 2);
  one.join();
  two.join();
}
