// Two threads end the program at the same time, each in the way that the arguments say.
#include <cstdlib>
#include <cstring>
#include <thread>
#include <unistd.h>

static void end(const char* how) {
  if (std::strcmp(how, "abort") == 0) std::abort();
  if (std::strcmp(how, "exit") == 0) std::exit(0);
  if (std::strcmp(how, "at_once") == 0) _exit(0);
}

int main(int, char** arguments) {
  std::thread one(end, arguments[1]), other(end, arguments[2]);
  one.join();
  other.join();
}
