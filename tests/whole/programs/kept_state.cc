// What a process keeps outside of its variables is in each execution as at its start. Run with the arguments -a -b 3 x.
#include <fcntl.h>
#include <getopt.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cassert>
#include <clocale>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <map>
#include <string>
#include <thread>

namespace {

std::map<std::string, int> table{{"from before main", 1}};
int handled = 0;
void handle(int) { ++handled; }

}  // namespace

int main(int argc, char** argv) {
  static int times = 0;
  assert(++times == 1);
  assert(table.size() == 1);
  table["from main"] = 2;

  int option, seen = 0;
  while ((option = getopt(argc, argv, "ab:")) != -1) seen += option == 'a' ? 1 : option == 'b' ? 10 : 100;
  assert(seen == 11 && optind == 4 && argc == 5 && std::strcmp(argv[4], "x") == 0);
  argv[4][0] = 'y';

  assert(rand() == 1804289383);
  srand(7);
  assert(lrand48() == 0);
  assert(getpid() == getpid() && getenv("HEDDLE_WHOLE") == nullptr);
  setenv("HEDDLE_WHOLE", "1", 1);
  if (char* path = getenv("PATH")) {
    assert(path[0] != '#');
    path[0] = '#';
  }
  assert(umask(0777) != 0777);
  char directory[4096];
  assert(getcwd(directory, sizeof directory) != nullptr && std::strcmp(directory, "/") != 0);
  assert(chdir("/") == 0);
  assert(std::strcmp(setlocale(LC_ALL, nullptr), "C") == 0);
  setlocale(LC_ALL, "C.UTF-8");

  assert(std::signal(SIGUSR1, handle) == SIG_DFL);
  assert(raise(SIGUSR1) == 0 && kill(getpid(), SIGUSR1) == 0 && handled == 2);

  assert(getchar() == EOF && feof(stdin));
  std::printf("to the old place\n");
  std::fflush(stdout);
  const int null = open("/dev/null", O_RDWR);
  assert(null >= 0 && null < 8);
  std::FILE* left_open = std::fopen("/dev/null", "w");
  assert(left_open != nullptr && fileno(left_open) == null + 1);
  std::fprintf(left_open, "never closed");
  static char buffer[64];
  assert((std::cout.flags() & std::ios::hex) == 0 && !std::cin.eof());
  std::cout << std::hex;
  std::cin.get();
  std::setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
  dup2(null, 1);
  std::printf("to the new place");
  close(0);
  alarm(1);
  std::thread([] {}).detach();
}
