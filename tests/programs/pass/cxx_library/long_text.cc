// heddle: expect=pass runs=500
// Variables whose memory the library may have allocated: each execution finds them as before the first one.
#include <heddle/heddle.h>

#include <cassert>
#include <map>
#include <string>
#include <thread>
#include <vector>

#define LONG "long enough to be on the heap, whatever a library takes for short"
std::string text = LONG;
std::vector<std::string> words{LONG, "short"};
std::map<std::string, int> counts{{LONG, 1}};

HEDDLE_FUZZ_TEST(long_text) {
  assert(text == LONG && words.size() == 2 && counts.size() == 1 && counts.begin()->first == LONG);
  std::thread other([] {
    text += text + text;
    words.clear();
    words.emplace_back(text);
    counts["short"] = 2;
    counts.erase(LONG);
  });
  other.join();
  text.clear();
  text.shrink_to_fit();
}
