// heddle: expect=assertion budget=2000
// A directory is listed and its files are measured: one that has been renamed meanwhile has no size. All by std::filesystem.
#include <heddle/heddle.h>

#include <unistd.h>

#include <cassert>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <string>
#include <thread>

namespace fs = std::filesystem;

HEDDLE_FUZZ_TEST(listed_then_measured) {
  const fs::path directory = "listed-" + std::to_string(getpid());
  fs::remove_all(directory);
  fs::create_directory(directory);
  std::ofstream(directory / "new") << "x";
  [[maybe_unused]] std::mutex m;
  std::thread renames([&] {
#ifdef FIXED
    std::lock_guard lock(m);
#endif
    fs::rename(directory / "new", directory / "done");
  });
  {
#ifdef FIXED
    std::lock_guard lock(m);
#endif
    for (const auto& entry : fs::directory_iterator(directory)) {
      std::error_code error;
      [[maybe_unused]] const auto size = fs::file_size(entry.path(), error);
      assert(!error);
    }
  }
  renames.join();
  fs::remove_all(directory);
}
