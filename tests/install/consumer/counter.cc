#include "counter.h"

#include <mutex>

static std::mutex mutex;
static int count = 0;

int count_up() {
  std::lock_guard lock(mutex);
  return ++count;
}
