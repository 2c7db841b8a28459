// What runs at the end of a process while a detached thread still works: the destructors of a global array, a function that a constructor has
// registered, and a function with the attribute `destructor`. In that order they are the first, the second and the last to run: the end
// that they print is "array, registered, attribute".
// -DIN_ARRAY, -DIN_REGISTERED, -DIN_ATTRIBUTE: the thread uses what that one takes away. Without, main waits for the thread.
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <thread>

struct Early {
  Early() { std::atexit([] { registered = nullptr; std::fputs("registered, ", stdout); }); }
  static int* registered;
};
static int number = 1;
int* Early::registered = &number;
static Early early;

struct Table {
  std::unique_ptr<int> entry = std::make_unique<int>(1);
  ~Table() {
    if (this == first) std::fputs("array, ", stdout);
    entry.reset();
  }
  static Table* first;
};
static Table tables[2];
Table* Table::first = &tables[0];

static int* volatile attribute = &number;
__attribute__((destructor)) static void end() {
  attribute = nullptr;
  std::puts("attribute");
}

int main() {
  std::thread user([] {
#if defined(IN_ARRAY)
    *tables[1].entry += 1;
#elif defined(IN_REGISTERED)
    *Early::registered += 1;
#elif defined(IN_ATTRIBUTE)
    *attribute += 1;
#else
    *tables[1].entry += 1;
    *Early::registered += 1;
    *attribute += 1;
#endif
  });
#if defined(IN_ARRAY) || defined(IN_REGISTERED) || defined(IN_ATTRIBUTE)
  user.detach();
#else
  user.join();
#endif
}
