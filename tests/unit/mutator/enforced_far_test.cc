// Orders of pairs that lie far apart (mutator/orders/far_reversals.h): the next run makes them.
#include <gtest/gtest.h>

#include "enforced_run.h"
#include "mutator/orders/order_children.h"

namespace heddle::mutator {
namespace {

pthread_mutex_t g_outer, g_inner;

void section(pthread_mutex_t* lock) {
  pthread_mutex_lock(lock);
  pthread_mutex_unlock(lock);
}

void* sections(void*) {
  for (int i = 0; i < 3; ++i) section(&g_outer);
  return nullptr;
}

void* nested(void*) {
  section(&g_inner);
  pthread_mutex_lock(&g_outer);
  section(&g_inner);
  pthread_mutex_unlock(&g_outer);
  section(&g_inner);
  return nullptr;
}

template <void* (*first)(void*), void* (*second)(void*)>
int body(const uint8_t*, size_t) {
  g_outer = g_inner = PTHREAD_MUTEX_INITIALIZER;
  return both(first, second);
}

// Which children come true, of how many. In each, the second operation comes before the first one.
void expect_all(rt::Body run, size_t least) {
  Execution parent(calm(), run);
  ASSERT_TRUE(parent.finished());
  const RunReversals reversals(parent.run);
  size_t children = 0;
  far_order_children(parent.run, reversals, calm(), FarPairs::all, [&](OrderChild&& child) {
    ++children;
    const Execution e(child.schedule, run);
    EXPECT_TRUE(e.finished());
    EXPECT_TRUE(e.realised());
    const Relations &then = parent.run.relations(), &now = e.run.relations();
    EXPECT_TRUE(e.before(now.find(then.exact(child.second)), now.find(then.exact(child.first))));
  });
  EXPECT_GE(children, least);
}

TEST(EnforcedFar, SectionsComeBeforeOthersThatAreNotTheirNeighbours) { expect_all(body<sections, sections>, 8); }

TEST(EnforcedFar, SectionsInSections) { expect_all(body<nested, nested>, 6); }

}  // namespace
}  // namespace heddle::mutator
