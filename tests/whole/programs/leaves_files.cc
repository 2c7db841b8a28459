// Makes files in the directory of its first argument. With a second one, it replaces files that are there, and fails in some orders.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

namespace {

void make(const std::string& path, const char* text) {
  const int file = open(path.c_str(), O_CREAT | O_EXCL | O_WRONLY, 0600);
  if (file < 0) _exit(3);
  std::FILE* const stream = fdopen(file, "w");
  std::fputs(text, stream);
  std::fclose(stream);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string home = argv[1];
  make(home + "/log", "log");
  if (mkdir((home + "/cache").c_str(), 0700) != 0) _exit(4);
  std::atomic<int> next = 0;
  const auto take = [&] {
    const int mine = next;
    make(home + "/cache/" + std::to_string(gettid()), "mine");
    next = mine + 1;
  };
  std::thread one(take), other(take);
  one.join();
  other.join();
  if (argc < 3) return 0;
  unlink((home + "/settings").c_str());
  make(home + "/settings", "new settings");
  make(home + "/state.new", "new state");
  std::rename((home + "/state.new").c_str(), (home + "/state").c_str());
  std::rename((home + "/old").c_str(), (home + "/older").c_str());
  if (next != 2) std::abort();
}
