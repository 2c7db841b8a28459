// Single-threaded code of everyday kinds, all plain accesses: what their instrumentation costs. HEDDLE_KERNEL names one of them and
// HEDDLE_ROUNDS how often it runs inside one execution, so that the difference of two numbers of rounds is the kernel alone.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

namespace {

uint64_t g_sum = 0;

struct Random {
  uint64_t state = 1;
  uint32_t next() {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return static_cast<uint32_t>(state >> 33);
  }
};

void sort_integers() {
  Random random;
  std::vector<uint32_t> v(2000);
  for (uint32_t& x : v) x = random.next();
  std::sort(v.begin(), v.end());
  g_sum += v[1000];
}

void sort_strings() {
  Random random;
  std::vector<std::string> v(300);
  for (std::string& s : v) s = std::to_string(random.next());
  std::sort(v.begin(), v.end());
  g_sum += v[100].size();
}

void multiply_matrices() {
  constexpr int n = 40;
  static double a[n][n], b[n][n], c[n][n];
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < n; ++k) {
      a[i][k] = i + k;
      b[i][k] = i - k;
    }
  }
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < n; ++k) {
      double sum = 0;
      for (int j = 0; j < n; ++j) sum += a[i][j] * b[j][k];
      c[i][k] = sum;
    }
  }
  g_sum += static_cast<uint64_t>(c[3][4]);
}

void count_in_hash_map() {
  Random random;
  std::unordered_map<uint32_t, uint32_t> count;
  for (int i = 0; i < 2000; ++i) ++count[random.next() % 500];
  g_sum += count.size();
}

void fill_ordered_map() {
  Random random;
  std::map<uint32_t, uint32_t> map;
  for (int i = 0; i < 500; ++i) map[random.next()] = static_cast<uint32_t>(i);
  for (const auto& [key, value] : map) g_sum += key ^ value;
}

void build_strings() {
  std::string text;
  for (int i = 0; i < 500; ++i) {
    text += "item ";
    text += std::to_string(i);
    text += ", ";
  }
  for (const char c : text) g_sum += static_cast<unsigned char>(c);
}

void parse_numbers() {
  char line[64];
  for (int i = 0; i < 200; ++i) {
    snprintf(line, sizeof line, "%d,%d,%d", i, i * 7, i * 31);
    uint32_t n = 0;
    for (const char* c = line; *c != 0; ++c) {
      if (*c == ',') n = 0;
      else n = n * 10 + static_cast<uint32_t>(*c - '0');
      g_sum += n;
    }
  }
}

struct Node {
  uint32_t value;
  Node* next;
};

void reverse_list() {
  Node* head = nullptr;
  for (uint32_t i = 0; i < 500; ++i) head = new Node{i, head};
  for (int turn = 0; turn < 10; ++turn) {
    Node* reversed = nullptr;
    while (head != nullptr) {
      Node* const next = head->next;
      head->next = reversed;
      reversed = head;
      head = next;
    }
    head = reversed;
  }
  while (head != nullptr) {
    Node* const next = head->next;
    g_sum += head->value;
    delete head;
    head = next;
  }
}

void hash_blocks() {
  unsigned char block[4096];
  for (size_t i = 0; i < sizeof block; ++i) block[i] = static_cast<unsigned char>(i * 7);
  uint32_t h[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  for (size_t at = 0; at < sizeof block; at += 64) {
    uint32_t w[64];
    for (size_t i = 0; i < 16; ++i) memcpy(&w[i], block + at + 4 * i, 4);
    for (size_t i = 16; i < 64; ++i) w[i] = w[i - 16] + (w[i - 7] >> 3 ^ w[i - 7] << 25) + (w[i - 2] >> 10 ^ w[i - 2] << 15);
    uint32_t s[8];
    memcpy(s, h, sizeof s);
    for (size_t i = 0; i < 64; ++i) {
      const uint32_t t = s[7] + (s[4] >> 6 ^ s[4] << 26) + ((s[4] & s[5]) ^ (~s[4] & s[6])) + w[i];
      memmove(s + 1, s, 7 * sizeof *s);
      s[4] += t;
      s[0] = t + (s[1] >> 2 ^ s[1] << 30);
    }
    for (size_t i = 0; i < 8; ++i) h[i] += s[i];
  }
  g_sum += h[0];
}

struct Shape {
  virtual ~Shape() = default;
  virtual double area() const = 0;
};
struct Square : Shape {
  explicit Square(double s) : side(s) {}
  double area() const override { return side * side; }
  double side;
};
struct Circle : Shape {
  explicit Circle(double r) : radius(r) {}
  double area() const override { return 3 * radius * radius; }
  double radius;
};

void call_virtuals() {
  std::vector<std::unique_ptr<Shape>> shapes;
  for (int i = 0; i < 300; ++i) {
    if (i % 3 == 0) shapes.push_back(std::make_unique<Square>(i));
    else shapes.push_back(std::make_unique<Circle>(i));
  }
  double sum = 0;
  for (int turn = 0; turn < 10; ++turn) {
    for (const auto& s : shapes) sum += s->area();
  }
  g_sum += static_cast<uint64_t>(sum);
}

struct Kernel {
  const char* name;
  void (*run)();
};
constexpr Kernel kKernels[] = {
    {"sort_integers", sort_integers}, {"sort_strings", sort_strings},   {"matrices", multiply_matrices}, {"hash_map", count_in_hash_map},
    {"ordered_map", fill_ordered_map}, {"strings", build_strings},      {"parse", parse_numbers},        {"list", reverse_list},
    {"hash_blocks", hash_blocks},      {"virtuals", call_virtuals},
};

}  // namespace

namespace {

void run_kernels() {
  const char* const wanted = getenv("HEDDLE_KERNEL");
  const char* const rounds = getenv("HEDDLE_ROUNDS");
  const int n = rounds != nullptr ? atoi(rounds) : 1;
  for (const Kernel& kernel : kKernels) {
    if (wanted != nullptr && strcmp(wanted, kernel.name) != 0) continue;
    for (int i = 0; i < n; ++i) kernel.run();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t*, size_t) {
#ifdef IN_A_THREAD
  std::thread(run_kernels).join();
#else
  run_kernels();
#endif
  // Uses the results. Otherwise the compiler would remove the computations.
  return g_sum == 42 ? -1 : 0;
}
