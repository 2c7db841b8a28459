#include "primitives/held_file_locks.h"

#include <linux/kcmp.h>
#include <poll.h>
#include <sys/syscall.h>

#include <algorithm>

#include "base/raw_syscall.h"
#include "primitives/descriptor.h"

namespace heddle::rt::primitives {
namespace {

constexpr int kNumbers = 1024;  // so many numbers are searched for another one of the same description

bool overlap(const FileLock& a, const FileLock& b) { return a.first <= b.last && b.first <= a.last; }

bool among(int number, unsigned first, unsigned last) {
  return static_cast<unsigned>(number) >= first && static_cast<unsigned>(number) <= last;
}

}  // namespace

void HeldFileLocks::clear() {
  held_.clear();
  duplicated_ = false;
}

bool HeldFileLocks::same_description(int a, int b) const {
  if (a == b) return true;
  if (!duplicated_) return false;
  const auto process = static_cast<uintptr_t>(raw_syscall(SYS_getpid));
  return raw_syscall(SYS_kcmp, process, process, KCMP_FILE, word(a), word(b)) == 0;
}

// Another number of the same description, outside of [first, last]. -1: there is none.
int HeldFileLocks::other_number(int number, unsigned first, unsigned last) const {
  if (!duplicated_) return -1;
  // One poll tells for all numbers which are open.
  static constinit pollfd numbers[kNumbers] = {};
  for (int i = 0; i < kNumbers; ++i) numbers[i] = {i, 0, 0};
  raw_poll(numbers, kNumbers);
  for (int i = 0; i < kNumbers; ++i) {
    if ((numbers[i].revents & POLLNVAL) == 0 && !among(i, first, last) && same_description(i, number)) return i;
  }
  return -1;
}

bool HeldFileLocks::own(const HeldFileLock& h, const Object& o, const FileLock& lock) const {
  return h.object == &o && overlap(h.lock, lock) && same_description(h.lock.descriptor, lock.descriptor);
}

bool HeldFileLocks::in_the_way(const HeldFileLock& h, const Object& o, const FileLock& lock) const {
  return h.object == &o && (h.lock.exclusive || lock.exclusive) && overlap(h.lock, lock) && !same_description(h.lock.descriptor, lock.descriptor);
}

bool HeldFileLocks::in_the_way(const Object& o, const FileLock& lock) const {
  return std::any_of(held_.begin(), held_.end(), [&](const HeldFileLock& h) { return in_the_way(h, o, lock); });
}

bool HeldFileLocks::has(const Object& o, const FileLock& lock, bool exclusive) const {
  return std::any_of(held_.begin(), held_.end(), [&](const HeldFileLock& h) { return h.lock.exclusive == exclusive && own(h, o, lock); });
}

// One of its holders, for the wait-for graph. For a lock of bytes it is known only if there is exactly one holder, because several holders
// may have different bytes.
void HeldFileLocks::note_holder(Object& o) const {
  o.holder = 0;
  for (const HeldFileLock& h : held_) {
    if (h.object != &o) continue;
    if (h.lock.of_bytes && o.holder != 0 && o.holder != h.thread + 1) {
      o.holder = 0;
      return;
    }
    o.holder = h.thread + 1;
  }
}

template <typename F>
void HeldFileLocks::drop_if(F gone) {
  held_.resize(static_cast<size_t>(std::remove_if(held_.begin(), held_.end(), gone) - held_.begin()));
}

bool HeldFileLocks::cut(Object& o, const FileLock& lock) {
  bool any = false;
  for (size_t i = 0, n = held_.size(); i < n; ++i) {
    const HeldFileLock h = held_[i];
    if (!own(h, o, lock)) continue;
    any = true;
    held_[i].object = nullptr;
    const auto keep = [&](uint64_t first, uint64_t last) {
      if (held_.full()) return;
      HeldFileLock& part = held_.push();
      part = h;
      part.lock.first = first;
      part.lock.last = last;
    };
    if (h.lock.first < lock.first) keep(h.lock.first, lock.first - 1);
    if (h.lock.last > lock.last) keep(lock.last + 1, h.lock.last);
  }
  drop_if([](const HeldFileLock& h) { return h.object == nullptr; });
  note_holder(o);
  return any;
}

void HeldFileLocks::taken(Object& o, const FileLock& lock) {
  drop_if([&](const HeldFileLock& h) { return in_the_way(h, o, lock); });
  cut(o, lock);
  if (!held_.full()) held_.push() = {&o, current_thread()->index, lock};
  note_holder(o);
}

const HeldFileLock* HeldFileLocks::of_numbers(unsigned first, unsigned last) {
  for (HeldFileLock& h : held_) {
    if (!among(h.lock.descriptor, first, last)) continue;
    const int other = other_number(h.lock.descriptor, first, last);
    if (other < 0) return &h;
    h.lock.descriptor = other;
  }
  return nullptr;
}

}  // namespace heddle::rt::primitives
