#include "heap/shared_views.h"

#include <algorithm>

namespace heddle::rt {

constinit SharedViews g_shared_views;

void SharedViews::initialise(Moved moved) {
  views_.reserve(kMost);
  moved_ = moved;
}

const SharedViews::View* SharedViews::first_after(uintptr_t address) const {
  return std::partition_point(views_.begin(), views_.end(), [&](const View& v) { return v.end <= address; });
}

const SharedViews::View* SharedViews::at(uintptr_t address) const {
  const View* const v = first_after(address);
  return v != views_.end() && v->begin <= address ? v : nullptr;
}

uintptr_t SharedViews::home(uintptr_t address) const {
  const View* const v = at(address);
  return v != nullptr ? v->home + (address - v->begin) : address;
}

size_t SharedViews::extent(uintptr_t address) const {
  uintptr_t end = address;
  for (const View *first = at(address), *v = first; v != nullptr && v->file == first->file && v->offset - first->offset == v->begin - first->begin; v = at(end)) {
    end = v->end;
  }
  return end - address;
}

void SharedViews::insert(const View& view) {
  const auto at = static_cast<size_t>(first_after(view.begin) - views_.begin());
  views_.push();
  std::copy_backward(views_.begin() + at, views_.end() - 1, views_.end());
  views_[at] = view;
}

// Without room the view is not cut. Then some of its memory is mistaken for other memory. That needs a program with 65,536 views.
void SharedViews::cut(size_t view, size_t after) {
  if (views_.full()) return;
  View rest = views_[view];
  rest.begin += after;
  rest.offset += after;
  rest.home += after;
  views_[view].end = rest.begin;
  insert(rest);
}

// After this, each view ends where another view of the same memory ends.
void SharedViews::cut_homes(uintptr_t home) {
  for (size_t i = 0; i < views_.size(); ++i) {
    const View& v = views_[i];
    if (home > v.home && home - v.home < v.size()) cut(i, home - v.home);
  }
}

void SharedViews::rehouse(uintptr_t from, uintptr_t to, size_t size) {
  cut_homes(from);
  cut_homes(from + size);
  for (View& v : views_) {
    if (v.home - from < size) v.home = v.home - from + to;
  }
  moved_(from, to, size);
}

void SharedViews::add(uintptr_t begin, uintptr_t end, const File& file, uint64_t offset, int protection) {
  while (begin < end && !views_.full()) {
    View next{begin, end, offset, begin, file, protection};
    bool home_writable = true;
    for (const View& v : views_) {
      if (!(v.file == file) || v.offset + v.size() <= offset) continue;
      if (v.offset > offset) {
        if (v.offset - offset < next.size()) next.end = begin + (v.offset - offset);
        continue;
      }
      next.end = std::min(next.end, begin + (v.offset + v.size() - offset));
      next.home = v.home + (offset - v.offset);
      if (v.at_home()) home_writable = v.writable();
    }
    for (View& v : views_) {
      if (v.home >= next.home + next.size() || v.home + v.size() <= next.home) continue;
      v.shared = next.shared = true;
    }
    insert(next);
    if (next.writable() && !home_writable) rehouse(next.home, next.begin, next.size());
    offset += next.size();
    begin = next.end;
  }
  look();
}

void SharedViews::end(uintptr_t begin, uintptr_t end) {
  if (views_.size() == 0) return;
  for (const uintptr_t edge : {begin, end}) {
    const View* const v = at(edge);
    if (v != nullptr && v->begin < edge) cut(static_cast<size_t>(v - views_.begin()), edge - v->begin);
  }
  for (;;) {
    const View* const found = first_after(begin);
    if (found == views_.end() || found->begin >= end) break;
    const View gone = *found;
    std::copy(found + 1, static_cast<const View*>(views_.end()), views_.begin() + (found - views_.begin()));
    views_.resize(views_.size() - 1);
    if (!gone.at_home()) continue;
    // Views that have this memory as their home need a new home.
    for (size_t i = 0; i < views_.size();) {
      const View& v = views_[i];
      const uintptr_t low = std::max(v.home, gone.begin), high = std::min(v.home + v.size(), gone.end);
      if (low >= high) {
        ++i;
        continue;
      }
      rehouse(low, v.begin + (low - v.home), high - low);
      i = 0;
    }
  }
  look();
}

bool SharedViews::seen_elsewhere(uintptr_t begin, uintptr_t end) const {
  for (const View* v = first_after(begin); v != views_.end() && v->begin < end; ++v) {
    if (v->shared) return true;
  }
  return false;
}

void SharedViews::look() {
  any_ = std::any_of(views_.begin(), views_.end(), [](const View& v) { return !v.at_home(); });
}

}  // namespace heddle::rt
