// What plugin_locals.cc opens. With SHARED_BY_ALL the variable is no thread-local, and the program's assertions fail.
struct Object {
  int value = 5;
  ~Object() { value = -1; }
};

#ifdef SHARED_BY_ALL
static int counter = 0;
#else
static thread_local int counter = 0;
#endif
static thread_local Object own;

extern "C" int count() { return ++counter; }
extern "C" int object() { return own.value++; }
