#include "primitives/named_semaphore.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/mman.h>

#include <cstring>

#include "base/check.h"
#include "engine/wait_for_parent.h"
#include "primitives/file_operation.h"
#include "primitives/semaphore.h"
#include "trace/observer.h"

namespace heddle::rt::primitives {
namespace {

struct Named {
  sem_t semaphore;
  uint32_t users;  // opens that were not closed
  bool linked;     // the name leads to it
  char name[NAME_MAX + 1];
};

// Shared memory: the kernel's copy for a child process would be another semaphore.
struct Table {
  static constexpr uint32_t kMost = 1 << 12;
  uint32_t count;
  Named all[kMost];
};

constinit Table* g_table = nullptr;

Table& table() {
  if (g_table != nullptr) return *g_table;
  const long p = raw_syscall(SYS_mmap, 0, sizeof(Table), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, static_cast<uintptr_t>(-1), 0);
  check(p > 0, "no memory for named semaphores");
  g_table = reinterpret_cast<Table*>(p);
  processes_share(g_table, sizeof *g_table);
  add_observer({"named semaphores", nullptr, [] { g_table->count = 0; }});
  return *g_table;
}

Named* find(const char* name) {
  Table& t = table();
  for (uint32_t i = 0; i < t.count; ++i) {
    if (t.all[i].linked && strcmp(t.all[i].name, name) == 0) return &t.all[i];
  }
  return nullptr;
}

OpenedSemaphore opened(Named& n) {
  // It may have been closed before, and then its address leads to it again.
  if (n.users++ == 0) engine().forget_object(reinterpret_cast<uintptr_t>(&n.semaphore));
  return {&n.semaphore, 0};
}

}  // namespace

OpenedSemaphore semaphore_open(const char* name, int flags, unsigned value, Place place) {
  name_operation(place);
  if (Named* const there = find(name)) {
    const bool must_be_new = (flags & O_CREAT) != 0 && (flags & O_EXCL) != 0;
    return must_be_new ? OpenedSemaphore{nullptr, EEXIST} : opened(*there);
  }
  if ((flags & O_CREAT) == 0) return {nullptr, ENOENT};
  if (value > SEM_VALUE_MAX) return {nullptr, EINVAL};
  Table& t = table();
  if (t.count == Table::kMost) return {nullptr, ENFILE};
  Named& n = t.all[t.count++];
  n.users = 0;
  n.linked = true;
  strcpy(n.name, name);
  n.semaphore = {};
  semaphore_count(&n.semaphore) = value;
  return opened(n);
}

int semaphore_unlink(const char* name, Place place) {
  name_operation(place);
  Named* const there = find(name);
  if (there == nullptr) return ENOENT;
  there->linked = false;
  return 0;
}

bool is_named_semaphore(const sem_t* semaphore) {
  const auto offset = reinterpret_cast<uintptr_t>(semaphore) - reinterpret_cast<uintptr_t>(g_table);
  return g_table != nullptr && offset < sizeof(Table);
}

int semaphore_close(sem_t* semaphore, Place place) {
  name_operation(place);
  Named& n = *reinterpret_cast<Named*>(semaphore);
  // As after munmap(): nothing may use it.
  return --n.users == 0 ? semaphore_destroy(semaphore, place) : 0;
}

}  // namespace heddle::rt::primitives
