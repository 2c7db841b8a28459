// heddle: expect=assertion budget=2000
// Settings are rewritten in place. Between the open, which empties the file, and the end of the stream, which fills it, a reader finds nothing.
#include <heddle/heddle.h>

#include <unistd.h>

#include <cassert>
#include <cstdio>
#include <fstream>
#include <string>
#include <thread>

HEDDLE_FUZZ_TEST(rewritten_in_place) {
  const std::string path = "settings-" + std::to_string(getpid());
  std::ofstream(path) << "volume 7\n";
  std::thread writer([&] {
#ifdef FIXED
    std::ofstream(path + ".new") << "volume 8\n";
    std::rename((path + ".new").c_str(), path.c_str());
#else
    std::ofstream(path) << "volume 8\n";
#endif
  });
  std::string name;
  int volume = 0;
  std::ifstream(path) >> name >> volume;
  assert(name == "volume" && volume != 0);
  writer.join();
  unlink(path.c_str());
}
