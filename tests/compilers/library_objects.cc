// Cases of one write and one read of an object of the C++ library, in two threads: see library_objects_test.py. The environment variable CASE has the number of
// the case, and with LOCKED both threads take a lock.
#include <algorithm>
#include <bitset>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <exception>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <queue>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <unordered_map>
#include <unordered_set>
#include <valarray>
#include <vector>

namespace {

struct Case {
  const char* name;
  void (*run)();
};

const bool locked = std::getenv("LOCKED") != nullptr;

class Guard {
 public:
  explicit Guard(std::mutex& m) : m_(m) {
    if (locked) m_.lock();
  }
  ~Guard() {
    if (locked) m_.unlock();
  }

 private:
  std::mutex& m_;
};

template <typename Write, typename Read>
void at_once(Write write, Read read) {
  std::mutex m;
  std::thread other([&] {
    const Guard guard(m);
    write();
  });
  {
    const Guard guard(m);
    read();
  }
  other.join();
}

// What is read must not be optimised away.
template <typename T>
void keep(const T& value) {
  static volatile unsigned char kept;
  kept = reinterpret_cast<const volatile unsigned char&>(value);
}

const Case kCases[] = {
    {"string_append", [] {
       std::string v = "a";
       at_once([&] { v += "bcdefghijklmnopqrstuvwxyz0123"; }, [&] { keep(v.size()); });
     }},
    {"string_assign", [] {
       std::string v = "a", w = "another text that is long enough";
       at_once([&] { v = w; }, [&] { keep(v[0]); });
     }},
    {"string_clear", [] {
       std::string v = "abc";
       at_once([&] { v.clear(); }, [&] { keep(v.size()); });
     }},
    {"string_insert", [] {
       std::string v = "abc";
       at_once([&] { v.insert(1, "x"); }, [&] { keep(v[1]); });
     }},
    {"string_read_find", [] {
       std::string v = "abc";
       at_once([&] { v[1] = 'x'; }, [&] { keep(v.find("c")); });
     }},
    {"string_compare", [] {
       std::string v = "abc";
       at_once([&] { v[1] = 'x'; }, [&] { keep(v == "abd"); });
     }},
    {"string_copy", [] {
       std::string v = "a long text that needs the heap, surely";
       at_once([&] { v[1] = 'x'; }, [&] { std::string w = v; keep(w[0]); });
     }},
    {"string_substr", [] {
       std::string v = "a long text that needs the heap, surely";
       at_once([&] { v[3] = 'x'; }, [&] { std::string w = v.substr(2, 20); keep(w[0]); });
     }},
    {"string_plus", [] {
       std::string v = "a long text that needs the heap, surely";
       at_once([&] { v[3] = 'x'; }, [&] { std::string w = "x" + v; keep(w[0]); });
     }},
    {"string_push", [] {
       std::string v = "abc";
       at_once([&] { v.push_back('x'); }, [&] { keep(v.size()); });
     }},
    {"vector_string", [] {
       std::vector<std::string> v; std::string s = "x";
       at_once([&] { v.push_back(s); }, [&] { keep(v.size()); });
     }},
    {"vector_uchar", [] {
       std::vector<unsigned char> v, w(5);
       at_once([&] { v = w; }, [&] { keep(v.size()); });
     }},
    {"vector_insert", [] {
       std::vector<unsigned long> v(3);
       at_once([&] { v.insert(v.begin(), 7); }, [&] { keep(v.size()); });
     }},
    {"vector_bool", [] {
       std::vector<bool> v(8);
       at_once([&] { v[1] = true; }, [&] { keep(bool(v[2])); });
     }},
    {"map_insert", [] {
       std::map<int, int> v{{1, 1}};
       at_once([&] { v[2] = 2; }, [&] { keep(v.size()); });
     }},
    {"map_iterate", [] {
       std::map<int, int> v{{1, 1}};
       at_once([&] { v[2] = 2; v[3] = 3; }, [&] { int s = 0; for (auto& p : v) s += p.first; keep(s); });
     }},
    {"map_string", [] {
       std::map<std::string, int> v{{"a", 1}};
       at_once([&] { v["b"] = 2; }, [&] { keep(v.count("b")!=0); });
     }},
    {"set_erase", [] {
       std::set<unsigned> v{1, 2, 3};
       at_once([&] { v.erase(2); }, [&] { keep(v.size()); });
     }},
    {"uset_ul", [] {
       std::unordered_set<unsigned long> v;
       at_once([&] { v.insert(2); }, [&] { keep(v.count(2)!=0); });
     }},
    {"list_push", [] {
       std::list<int> v{1};
       at_once([&] { v.push_back(2); }, [&] { int s = 0; for (int p : v) s += p; keep(s); });
     }},
    {"deque_push", [] {
       std::deque<std::string> v; std::string s = "x";
       at_once([&] { v.push_back(s); }, [&] { keep(v.size()); });
     }},
    {"queue_pop", [] {
       std::queue<int> v; v.push(1); v.push(2);
       at_once([&] { v.pop(); }, [&] { keep(v.front()); });
     }},
    {"pq", [] {
       std::priority_queue<int> v; v.push(1);
       at_once([&] { v.push(5); }, [&] { keep(v.top()); });
     }},
    {"shared_ptr", [] {
       auto v = std::make_shared<int>(1);
       at_once([&] { v = std::make_shared<int>(2); }, [&] { auto w = v; keep(w); });
     }},
    {"weak_ptr", [] {
       auto o = std::make_shared<int>(1); std::weak_ptr<int> v = o;
       at_once([&] { v.reset(); }, [&] { auto w = v.lock(); keep(w); });
     }},
    {"function", [] {
       std::function<int()> v = []{return 1; };
       at_once([&] { v = []{return 2; }; }, [&] { keep(v()); });
     }},
    {"sort", [] {
       std::vector<unsigned> v{3, 1, 2};
       at_once([&] { std::sort(v.begin(), v.end()); }, [&] { keep(v[0]); });
     }},
    {"sstream", [] {
       std::ostringstream v;
       at_once([&] { v << "abc"<< 5; }, [&] { keep(v.str().size()); });
     }},
    {"istring", [] {
       std::istringstream v("1 2 3"); int a, b;
       at_once([&] { v >> a; }, [&] { v >> b; });
     }},
    {"to_string", [] {
       std::string v = "1";
       at_once([&] { v = std::to_string(123456); }, [&] { keep(v.size()); });
     }},
    {"bitset", [] {
       std::bitset<64> v;
       at_once([&] { v.set(3); }, [&] { keep(bool(v[3])); });
     }},
    {"valarray", [] {
       std::valarray<double> v(4);
       at_once([&] { v *= 2.0; }, [&] { keep(v[1]); });
     }},
    {"exception_ptr", [] {
       std::exception_ptr v;
       at_once([&] { v = std::make_exception_ptr(1); }, [&] { keep(bool(v)); });
     }},
    {"complex", [] {
       std::complex<double> v(1, 2);
       at_once([&] { v *= std::complex<double>(2, 1); }, [&] { keep(v.real()); });
     }},
    {"getline", [] {
       std::istringstream i("abc\ndef"); std::string v;
       at_once([&] { std::getline(i, v); }, [&] { keep(v.size()); });
     }},
    {"stoi", [] {
       std::string v = "12";
       at_once([&] { v[0] = '3'; }, [&] { keep(std::stoi(v)); });
     }},
    {"mt19937", [] {
       std::mt19937 v(1);
       at_once([&] { v(); }, [&] { v(); });
     }},
    {"memcpy", [] {
       char v[20] = {}; char w[20] = {};
       at_once([&] { memcpy(v, w, 20); }, [&] { keep(bool(v[3])); });
     }},
    {"string_reserve", [] {
       std::string v = "a";
       at_once([&] { v.reserve(100); }, [&] { keep(v.data()); });
     }},
    {"string_replace", [] {
       std::string v = "abc";
       at_once([&] { v.replace(0, 1, "xyz"); }, [&] { keep(v.size()); });
     }},
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char*, size_t) {
  static const Case& chosen = kCases[std::atoi(std::getenv("CASE"))];
  chosen.run();
  return 0;
}

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  if (std::getenv("CASE") != nullptr) return 0;
  for (const Case& c : kCases) std::printf("%s\n", c.name);
  std::exit(0);
}
