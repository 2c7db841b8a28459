// heddle: expect=pass runs=1000 options=report_races=1
// A server keeps its connections in a table by the numbers of their descriptors. A thread that closes one no longer uses its entry. So who
// gets that number next has the entry alone, with no other order than that of the kernel.
#include <heddle/heddle.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cassert>
#include <thread>

int uses[64];

HEDDLE_FUZZ_TEST(table_by_number) {
  const int old = eventfd(0, 0);
  uses[old] = 1;
  std::thread worker([=] {
    ++uses[old];
    uses[old] = 0;
    close(old);
  });
  const int fresh = eventfd(0, 0);
  assert(uses[fresh] == 0);
  uses[fresh] = 1;
  worker.join();
  assert(uses[fresh] == 1);
  close(fresh);
}
