// Thread-local variables, their destructors, and pthread keys.
#include <dlfcn.h>
#include <pthread.h>
#include <unistd.h>

#include <locale.h>
#include <algorithm>
#include <cerrno>
#include <clocale>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "fiber/library_locals.h"
#include "fiber/thread_exit.h"
#include "fiber/thread_locals.h"
#include "fiber_test.h"

extern "C" {
int* c_initialised_here(void);
long* c_zero_here(void);
int* linked_variable(void);

int __cxa_thread_atexit_impl(void (*)(void*), void*, void*);
// What intercept/ does in the product.
int __cxa_thread_atexit(void (*destructor)(void*), void* object, void* dso) {
  namespace fiber = heddle::fiber;
  if (fiber::root() == nullptr || fiber::current() == fiber::root()) {
    return __cxa_thread_atexit_impl(destructor, object, dso);
  }
  return fiber::register_thread_destructor(destructor, object, dso) ? 0 : -1;
}
}

namespace fiber_test {
namespace {

int constructed = 0, destroyed = 0;

struct Counted {
  Counted() : value(100) { ++constructed; }
  ~Counted() {
    ++destroyed;
    last = value;
  }
  int value;
  static int last;
};
int Counted::last = 0;

thread_local Counted counted;
thread_local int plain = 5;
thread_local std::vector<int> items;
thread_local char big[100000];

TEST(ThreadLocals, AreFreshForEachFiber) {
  for (int round = 0; round < 3; ++round) {
    constructed = destroyed = 0;
    bool fresh = false;
    Runner runner([&] {
      fresh = plain == 5 && counted.value == 100 && items.empty() && *c_initialised_here() == 42 &&
              c_zero_here()[3] == 0 && big[99999] == 0 && big[0] == 0;
      plain = 6;
      counted.value = 7;
      items.assign(10, 1);
      *c_initialised_here() = 1;
      c_zero_here()[3] = 1;
      std::fill(std::begin(big), std::end(big), 1);
    });
    runner.resume();
    EXPECT_TRUE(fresh) << "round " << round;
    EXPECT_EQ(constructed, 1);
    EXPECT_EQ(destroyed, 1);
    EXPECT_EQ(Counted::last, 7);
  }
  EXPECT_EQ(plain, 5);
}

TEST(ThreadLocals, AreTheFibersOwnAcrossSwitches) {
  int a_saw = 0, b_saw = 0;
  Runner a([&] {
    plain = 1;
    fiber::switch_to(fiber::root());
    a_saw = plain;
  });
  Runner b([&] {
    plain = 2;
    fiber::switch_to(fiber::root());
    b_saw = plain;
  });
  a.resume();
  b.resume();
  a.resume();
  b.resume();
  EXPECT_EQ(a_saw, 1);
  EXPECT_EQ(b_saw, 2);
}

TEST(ThreadLocals, AbandonedOnesAreForgotten) {
  destroyed = 0;
  {
    Runner runner([&] {
      counted.value = 9;
      plain = 9;
      fiber::switch_to(fiber::root());
    });
    runner.resume();
  }
  EXPECT_EQ(destroyed, 0);
  int value = 0, number = 0;
  Runner next([&] {
    value = counted.value;
    number = plain;
  });
  next.resume();
  EXPECT_EQ(value, 100);
  EXPECT_EQ(number, 5);
  EXPECT_EQ(destroyed, 1);
}

TEST(ThreadLocals, OfTheProgramsOwnLibrariesAreFreshToo) {
  for (int round = 0; round < 2; ++round) {
    int first = 0;
    Runner runner([&] {
      first = *linked_variable();
      *linked_variable() = 12;
    });
    runner.resume();
    EXPECT_EQ(first, 11);
  }
}

TEST(ThreadLocals, ThoseOfALibraryOpenedLaterAreFresh) {
  void* library = dlopen(LOADED_LIBRARY, RTLD_NOW);
  ASSERT_NE(library, nullptr);
  fiber::library_locals::libraries_changed();
  const auto variable = reinterpret_cast<int* (*)()>(dlsym(library, "loaded_variable"));
  int first = -1;
  for (int round = 0; round < 2; ++round) {  // on one donor
    int value = -1;
    Runner runner([&] { value = (*variable())++; });
    runner.resume();
    if (round == 0) first = value;
    EXPECT_EQ(value, first);
  }
}

TEST(ThreadLocals, TheLocaleIsTheGlobalOne) {
  locale_t own = newlocale(LC_ALL_MASK, "C", nullptr);
  for (int round = 0; round < 2; ++round) {
    bool global = false;
    Runner runner([&] {
      global = uselocale(nullptr) == LC_GLOBAL_LOCALE;
      uselocale(own);
    });
    runner.resume();
    EXPECT_TRUE(global);
  }
  freelocale(own);
}

TEST(ThreadLocals, VariablesOfRuntimesAreKnownByName) {
  using fiber::thread_locals::belongs_to_a_runtime;
  for (const char* name :
       {"_ZN6fuzzer6Fuzzer10IsMyThreadE", "__sancov_lowest_stack", "_ZN6__asan14fake_stack_tlsE",
        "_ZN6__lsanL15disable_counterE", "_ZN11__sanitizer4dtlsE", "_ZGVN6__asan1xE",
        "_ZZN7__ubsan1fEvE1x", "_ZN6heddle7current_E"}) {
    EXPECT_TRUE(belongs_to_a_runtime(name)) << name;
  }
  for (const char* name :
       {"counter", "_ZL7counter", "_ZN3app7counterE", "_ZN3app6heddleE", "_ZN9my_fuzzer1xE",
        "_ZZN3appC1EvE1x", "__tls_guard", "asan", "", "_Z"}) {
    EXPECT_FALSE(belongs_to_a_runtime(name)) << name;
  }
}

std::string order;

TEST(ThreadExit, DestructorsRunLastFirstWithThoseTheyRegister) {
  order.clear();
  static char letters[] = "abcd";
  Runner runner([] {
    auto note = [](void* letter) { order += *static_cast<char*>(letter); };
    fiber::register_thread_destructor(note, &letters[0], nullptr);
    fiber::register_thread_destructor(
        [](void*) {
          order += 'X';
          fiber::register_thread_destructor([](void* l) { order += *static_cast<char*>(l); },
                                            &letters[3], nullptr);
        },
        nullptr, nullptr);
    fiber::register_thread_destructor(note, &letters[2], nullptr);
  });
  runner.resume();
  EXPECT_EQ(order, "cXda");
}

TEST(ThreadExit, ManyDestructors) {
  static int ran;
  for (int round = 0; round < 3; ++round) {
    ran = 0;
    Runner runner([] {
      for (intptr_t i = 0; i < 10000; ++i) {
        fiber::register_thread_destructor(
            [](void* number) { ran += reinterpret_cast<intptr_t>(number) == 9999 - ran; },
            reinterpret_cast<void*>(i), nullptr);
      }
    });
    runner.resume();
    EXPECT_EQ(ran, 10000);
  }
}

TEST(Keys, ValuesArePerFiberAndStartEmpty) {
  fiber::initialise();
  pthread_key_t key;
  ASSERT_EQ(fiber::key_create(&key, nullptr), 0);
  EXPECT_TRUE(fiber::is_fiber_key(key));
  int one = 1, two = 2;
  for (int round = 0; round < 2; ++round) {
    void *first = &one, *kept = nullptr;
    auto body = [&](int* value) {
      first = fiber::key_get(key);
      EXPECT_EQ(fiber::key_set(key, value), 0);
      fiber::switch_to(fiber::root());
      kept = fiber::key_get(key);
      EXPECT_EQ(kept, value);
    };
    Runner a([&] { body(&one); }), b([&] { body(&two); });
    a.resume();
    EXPECT_EQ(first, nullptr);
    b.resume();
    EXPECT_EQ(first, nullptr);
    a.resume();
    b.resume();
  }
  EXPECT_EQ(fiber::key_delete(key), 0);
  EXPECT_EQ(fiber::key_delete(key), EINVAL);
  EXPECT_EQ(fiber::key_set(key, &one), EINVAL);
  EXPECT_EQ(fiber::key_get(key), nullptr);
}

TEST(Keys, DestructorsRunInRounds) {
  static pthread_key_t key;
  static int calls;
  calls = 0;
  fiber::initialise();
  ASSERT_EQ(fiber::key_create(&key,
                              [](void* value) {
                                ++calls;
                                EXPECT_EQ(fiber::key_get(key), nullptr);
                                fiber::key_set(key, value);  // again and again
                              }),
            0);
  Runner runner([&] { fiber::key_set(key, &calls); });
  runner.resume();
  EXPECT_EQ(calls, PTHREAD_DESTRUCTOR_ITERATIONS);
  fiber::key_delete(key);
}

TEST(Keys, ANewKeyHasNoOldValue) {
  fiber::initialise();
  bool empty = false;
  Runner runner([&] {
    pthread_key_t key, again;
    ASSERT_EQ(fiber::key_create(&key, nullptr), 0);
    fiber::key_set(key, &empty);
    fiber::key_delete(key);
    ASSERT_EQ(fiber::key_create(&again, nullptr), 0);
    EXPECT_EQ(again, key);
    empty = fiber::key_get(again) == nullptr;
    fiber::key_delete(again);
  });
  runner.resume();
  EXPECT_TRUE(empty);
}

TEST(Keys, AsManyAsLibcHas) {
  fiber::initialise();
  pthread_key_t key;
  int made = 0;
  while (fiber::key_create(&key, nullptr) == 0) ++made;
  EXPECT_EQ(made, PTHREAD_KEYS_MAX);
  EXPECT_EQ(fiber::key_create(&key, nullptr), EAGAIN);
  fiber::forget_keys();
  EXPECT_EQ(fiber::key_create(&key, nullptr), 0);
  fiber::forget_keys();
}

TEST(Keys, LastingOnesOutliveTheOthersAndDoNotShiftTheirNumbers) {
  fiber::initialise();
  pthread_key_t lasting, first, again;
  static int destroyed;
  destroyed = 0;
  ASSERT_EQ(fiber::key_create(&lasting, [](void*) { ++destroyed; }, true), 0);
  ASSERT_EQ(fiber::key_create(&first, nullptr), 0);
  int value = 0;
  {
    Runner runner([&] { EXPECT_EQ(fiber::key_set(lasting, &value), 0); });
    runner.resume();
  }
  EXPECT_EQ(destroyed, 1);
  fiber::forget_keys();
  EXPECT_EQ(fiber::key_delete(first), EINVAL);
  ASSERT_EQ(fiber::key_create(&again, nullptr), 0);
  EXPECT_EQ(again, first);
  void* found = &value;
  Runner runner([&] {
    found = fiber::key_get(lasting);
    EXPECT_EQ(fiber::key_set(lasting, &value), 0);
  });
  runner.resume();
  EXPECT_EQ(found, nullptr);
  EXPECT_EQ(destroyed, 2);
  EXPECT_EQ(fiber::key_delete(lasting), 0);
  EXPECT_EQ(fiber::key_delete(lasting), EINVAL);
  fiber::forget_keys();
}

TEST(Keys, OfLastingOnesWithoutEndTheLeastUsedGoes) {
  fiber::initialise();
  pthread_key_t first, key;
  ASSERT_EQ(fiber::key_create(&first, nullptr, true), 0);
  int value = 0;
  std::vector<pthread_key_t> made{first};
  for (int i = 0; i < PTHREAD_KEYS_MAX; ++i) {
    Runner runner([&] { EXPECT_EQ(fiber::key_set(first, &value), 0) << i; });
    runner.resume();
    ASSERT_EQ(fiber::key_create(&key, nullptr, true), 0);
    EXPECT_NE(key, first);
    made.push_back(key);
    fiber::forget_keys();
  }
  EXPECT_EQ(fiber::key_create(&key, nullptr), 0) << "the program's own are apart";
  fiber::forget_keys();
  for (const pthread_key_t each : made) fiber::key_delete(each);
}

}  // namespace
}  // namespace fiber_test
