// heddle: expect=assertion budget=2000
// Two threads make a directory that they have not found. The second one fails: the C++ library asks for it once more before it says so.
#include <heddle/heddle.h>

#include <unistd.h>

#include <cassert>
#include <filesystem>
#include <string>
#include <thread>

HEDDLE_FUZZ_TEST(made_by_both) {
  const std::filesystem::path directory = "made-by-both-" + std::to_string(getpid());
  const auto make = [&directory] {
#ifdef FIXED
    std::filesystem::create_directory(directory);
#else
    if (std::filesystem::exists(directory)) return;
    const bool made = std::filesystem::create_directory(directory);
    assert(made);
#endif
  };
  std::filesystem::remove(directory);
  std::thread one(make), other(make);
  one.join();
  other.join();
  std::filesystem::remove(directory);
}
