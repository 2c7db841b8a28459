#include "races/recent_accesses.h"

#include <cstring>

namespace heddle::rt {

constinit RecentAccesses g_recent_accesses;
constinit thread_local uint64_t RecentAccesses::tls_stamp = 0;

__attribute__((noinline)) void RecentAccesses::start_over() {
  memset(tables_, 0, sizeof tables_);
  memset(ranges_, 0, sizeof ranges_);
  stamp_ = kStep;
}

}  // namespace heddle::rt
