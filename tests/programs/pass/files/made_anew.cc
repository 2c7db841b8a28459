// heddle: expect=pass runs=1000
// An execution makes files and directories, and leaves them there. The next one finds none of them.
#include <fcntl.h>
#include <heddle/heddle.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

namespace {

void make_all(int home) {
  const int file = openat(home, "first", O_CREAT | O_EXCL | O_WRONLY, 0600);
  assert(file >= 0);
  close(file);
  assert(linkat(home, "first", home, "second", 0) == 0);
  assert(symlinkat("nowhere", home, "third") == 0);
  assert(mkdirat(home, "directory", 0700) == 0);
  const int inner = openat(home, "directory/inner", O_CREAT | O_EXCL | O_WRONLY, 0600);
  assert(inner >= 0);
  close(inner);
  assert(renameat(home, "directory", home, "moved") == 0);
  assert(renameat(home, "second", home, "fourth") == 0);
  assert(unlinkat(home, "fourth", 0) == 0);
}

}  // namespace

HEDDLE_FUZZ_TEST(made_anew) {
  const std::string name = "/tmp/heddle_made_anew." + std::to_string(getpid());
  assert(mkdir(name.c_str(), 0700) == 0);
  const int home = open(name.c_str(), O_RDONLY | O_DIRECTORY);
  std::thread other([&] {
    assert(!std::filesystem::exists(name + "/out/of"));
    assert(std::filesystem::create_directories(name + "/out/of"));
    assert(!std::ifstream(name + "/out/of/stream"));
    std::ofstream(name + "/out/of/stream") << "text";
    std::FILE* const file = std::fopen((name + "/stdio").c_str(), "wx");
    assert(file != nullptr);
    std::fclose(file);
  });
  make_all(home);
  other.join();
  const int address_of = socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = {}};
  std::snprintf(address.sun_path, sizeof address.sun_path, "%s/socket", name.c_str());
  assert(bind(address_of, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0);
  close(address_of);
  const std::string memory_name = "/heddle_made_anew." + std::to_string(getpid());
  const int memory = shm_open(memory_name.c_str(), O_CREAT | O_EXCL | O_RDWR, 0600);
  assert(memory >= 0);
  close(memory);
  std::string temporary = name + "/XXXXXX";
  close(mkstemp(temporary.data()));
  temporary = name + "/XXXXXX";
  assert(mkdtemp(temporary.data()) != nullptr);
  close(home);
}
