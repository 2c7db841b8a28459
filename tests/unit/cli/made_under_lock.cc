// A registry is made at its first use, by a function that is inlined into both threads. Making it needs a lock that the other thread may hold. Most runs
// end with a double lock of one thread, before they come to the other one's use.
#include <heddle/heddle.h>
#include <cassert>
#include <map>
#include <mutex>
#include <string>
#include <thread>

struct Settings {
  std::mutex mu;
  std::map<std::string, std::string> values;
  std::string get(const std::string& k) {
    std::lock_guard<std::mutex> l(mu);
    return values[k];
  }
};
Settings& settings() { static Settings s; return s; }

struct Registry {
  std::string path;
  Registry() : path(settings().get("path")) {}
  void changed(const std::string& v) { path = v; }
};
Registry& registry() { static Registry r; return r; }

void set(const std::string& k, const std::string& v) {
  std::lock_guard<std::mutex> l(settings().mu);
  settings().values[k] = v;
  if (k == "path") registry().changed(v);
}

HEDDLE_FUZZ_TEST(made_under_lock) {
  std::thread a([] { set("path", "/usr"); });
  std::thread b([] { registry(); });
  a.join();
  b.join();
}
