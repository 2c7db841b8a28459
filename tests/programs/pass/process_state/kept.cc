// heddle: expect=pass runs=500
// A harness that keeps its variables keeps what its first execution has set up in the process, too.
#include <heddle/heddle.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cassert>
#include <clocale>
#include <cstdlib>
#include <cstring>

HEDDLE_KEEP_EVERYTHING()

namespace {

int handled = 0, expected = 0;

void set_up() {
  signal(SIGUSR1, [](int) { ++handled; });
  setlocale(LC_ALL, "C.UTF-8");
  setenv("HEDDLE_KEPT", "1", 1);
  umask(0707);
  assert(chdir("/") == 0);
  srand(3);
  rand();
  const int next = rand();
  srand(3);
  rand();
  expected = next;
}

}  // namespace

HEDDLE_FUZZ_TEST(kept) {
  static bool first = true;
  char directory[16];
  if (first) set_up();
  raise(SIGUSR1);
  assert(handled == 1 && strcmp(setlocale(LC_ALL, nullptr), "C.UTF-8") == 0 && getenv("HEDDLE_KEPT") != nullptr);
  assert(umask(0707) == 0707 && strcmp(getcwd(directory, sizeof directory), "/") == 0);
  if (first) assert(rand() == expected);
  handled = 0;
  first = false;
}
