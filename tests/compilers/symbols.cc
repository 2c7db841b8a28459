// What C++ adds: virtual tables, exceptions, guarded statics, coroutines. Only compiled, as symbols.c.
#include <atomic>
#include <coroutine>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <thread>
#include <vector>

struct Base {
  virtual ~Base() { last = value(); }
  virtual int value() const { return 1; }
  static int last;
};
int Base::last = 0;
struct Derived : virtual Base {
  ~Derived() override { last = value(); }
  int value() const override { return held; }
  int held = 2;
};

int through_table(Base* b) { return b->value() + (dynamic_cast<Derived*>(b) != nullptr); }
Base* make() { return new Derived; }
void destroy(Base* b) { delete b; }

int may_throw(int x) {
  if (x < 0) throw std::string("negative");
  return x;
}
int catches(int x) {
  std::string message = "none";
  try {
    return may_throw(x);
  } catch (const std::string& s) {
    message = s;
    throw;
  }
}

std::string& guarded() {
  static std::string made(20, 'x');
  static thread_local std::string own(20, 'y');
  return own.size() > 3 ? own : made;
}

struct Task {
  struct promise_type {
    int current = 0;
    Task get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(int v) {
      current = v;
      return {};
    }
    void return_void() {}
    void unhandled_exception() { throw; }
  };
  std::coroutine_handle<promise_type> handle;
};
Task counts(int& from) {
  for (int i = 0; i < 3; ++i) co_yield from++;
}

template <typename T>
T all_of_it(std::atomic<T>& a, T v) {
  T expected = a.load(std::memory_order_acquire);
  while (!a.compare_exchange_weak(expected, v, std::memory_order_acq_rel)) {}
  a.compare_exchange_strong(expected, v);
  a.wait(v);
  a.notify_all();
  return a.exchange(v, std::memory_order_release);
}
template bool all_of_it(std::atomic<bool>&, bool);
template int all_of_it(std::atomic<int>&, int);
template long all_of_it(std::atomic<long>&, long);
template double all_of_it(std::atomic<double>&, double);
template void* all_of_it(std::atomic<void*>&, void*);

std::shared_ptr<int> shares(std::shared_ptr<int>& p) { return p; }
bool flag(std::atomic_flag& f) { return f.test_and_set() && f.test(); }
int locked(std::mutex& m, std::shared_mutex& s, std::vector<int>& v) {
  std::lock_guard hold(m);
  std::shared_lock read(s);
  v.push_back(7);
  return v.back();
}
void starts(std::vector<std::thread>& threads, int& x) { threads.emplace_back([&x] { ++x; }); }
