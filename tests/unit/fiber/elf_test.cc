// Symbol tables of loaded modules, and of damaged files.
#include <dlfcn.h>
#include <elf.h>
#include <sys/mman.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/elf.h"

namespace elf_test {

namespace rt = heddle::rt;

int global_object[10];
thread_local long global_thread_local[3];

__attribute__((noinline)) int exported_function(int x) { return x * global_object[x & 7]; }
static __attribute__((noinline)) int local_function(int x) { return x + global_object[x & 3]; }

namespace {

uintptr_t address(const void* p) { return reinterpret_cast<uintptr_t>(p); }
uintptr_t address(int (*f)(int)) { return reinterpret_cast<uintptr_t>(f); }

std::string name_at(uintptr_t a) {
  const rt::Symbol* symbol = rt::find_symbol(a);
  return symbol != nullptr ? symbol->name : "(none)";
}

TEST(Elf, FunctionsAndObjectsOfTheExecutable) {
  global_thread_local[0] = 1;
  EXPECT_EQ(name_at(address(&exported_function)), "_ZN8elf_test17exported_functionEi");
  EXPECT_EQ(name_at(address(&local_function)), "_ZN8elf_testL14local_functionEi");
  EXPECT_EQ(name_at(address(&global_object[9])), "_ZN8elf_test13global_objectE");
  const rt::Symbol* f = rt::find_symbol(address(&exported_function) + 1);
  ASSERT_NE(f, nullptr);
  EXPECT_EQ(f->start, address(&exported_function));
  EXPECT_EQ(f->type, STT_FUNC);
  EXPECT_GT(f->size, 1u);
  EXPECT_TRUE(rt::is_main_executable(address(&exported_function)));
  EXPECT_STREQ(rt::module_name_of(address(&exported_function)), "/proc/self/exe");
}

TEST(Elf, SharedLibraries) {
  const uintptr_t f = address(dlsym(RTLD_DEFAULT, "hcreate"));
  const rt::Symbol* symbol = rt::find_symbol(f + 2);
  ASSERT_NE(symbol, nullptr);
  EXPECT_NE(std::string(symbol->name).find("hcreate"), std::string::npos);
  EXPECT_FALSE(rt::is_main_executable(f));
  EXPECT_NE(std::strstr(rt::module_name_of(f), "libc.so"), nullptr);
  Dl_info info;
  ASSERT_NE(dladdr(reinterpret_cast<void*>(f), &info), 0);
  EXPECT_EQ(rt::module_base_of(f), address(info.dli_fbase));
}

TEST(Elf, AddressesOfNoModule) {
  int local = 0;
  void* heap = std::malloc(10);
  for (uintptr_t a : {uintptr_t{0}, uintptr_t{1}, ~uintptr_t{0}, address(&local), address(heap)}) {
    EXPECT_EQ(rt::find_symbol(a), nullptr);
    EXPECT_EQ(rt::module_base_of(a), 0u);
    EXPECT_EQ(rt::module_name_of(a), nullptr);
    EXPECT_FALSE(rt::is_main_executable(a));
  }
  std::free(heap);
}

TEST(Elf, ThreadLocals) {
  struct Found {
    int times;
    size_t size;
  } found = {};
  const bool complete = rt::tls_symbols(
      [](const rt::Symbol& symbol, void* argument) {
        EXPECT_EQ(symbol.type, STT_TLS);
        if (std::strcmp(symbol.name, "_ZN8elf_test19global_thread_localE") != 0) return;
        auto* f = static_cast<Found*>(argument);
        ++f->times;
        f->size = symbol.size;
      },
      &found);
  EXPECT_TRUE(complete);
  EXPECT_EQ(found.times, 1);
  EXPECT_EQ(found.size, sizeof global_thread_local);
}

std::vector<unsigned char> own_file() {
  std::ifstream file("/proc/self/exe", std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<rt::Symbol> symbols_of(const std::vector<unsigned char>& bytes) {
  const rt::Image image = {bytes.data(), bytes.size()};
  std::vector<rt::Symbol> symbols(rt::count_symbols(image));
  symbols.resize(rt::collect_symbols(image, 0, symbols.data(), symbols.size()));
  return symbols;
}

TEST(Elf, SymbolsAreSortedAndHaveSizes) {
  const auto bytes = own_file();
  const auto symbols = symbols_of(bytes);
  ASSERT_GT(symbols.size(), 100u);
  for (size_t i = 1; i < symbols.size(); ++i) {
    ASSERT_LT(symbols[i - 1].start, symbols[i].start);
    ASSERT_GT(symbols[i - 1].size, 0u);
  }
}

TEST(Elf, AStrippedFileStillHasItsExports) {
  auto bytes = own_file();
  Elf64_Ehdr header;
  std::memcpy(&header, bytes.data(), sizeof header);
  for (unsigned i = 0; i < header.e_shnum; ++i) {
    Elf64_Shdr section;
    auto* at = bytes.data() + header.e_shoff + i * sizeof section;
    std::memcpy(&section, at, sizeof section);
    if (section.sh_type == SHT_SYMTAB) section.sh_type = SHT_NOTE;
    std::memcpy(at, &section, sizeof section);
  }
  const size_t exported = symbols_of(bytes).size();
  EXPECT_LT(exported, symbols_of(own_file()).size());
}

// Names and addresses are read from wherever the file says: never from outside of it. The bytes end
// at an unreadable page.
TEST(Elf, DamagedFilesAreReadWithinTheirBounds) {
  const auto original = own_file();
  Elf64_Ehdr header;
  std::memcpy(&header, original.data(), sizeof header);
  const size_t pages = (original.size() + 4095) / 4096 * 4096;
  auto* memory = static_cast<unsigned char*>(
      mmap(nullptr, pages + 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  mprotect(memory + pages, 4096, PROT_NONE);
  unsigned char* bytes = memory + pages - original.size();
  std::memcpy(bytes, original.data(), original.size());
  std::vector<rt::Symbol> symbols(1 << 18);
  std::mt19937_64 random(1);
  size_t checked = 0, fewer = 0;
  const size_t all = rt::count_symbols({bytes, original.size()});
  for (int round = 0; round < 300; ++round) {
    // The header, or a word of the section table: random, huge, or a little off.
    const bool in_header = random() % 4 == 0;
    const size_t limit = in_header ? sizeof header : header.e_shnum * sizeof(Elf64_Shdr);
    const size_t at = (in_header ? 0 : header.e_shoff) + random() % (limit - 8);
    uint64_t value = 0;
    std::memcpy(&value, bytes + at, 8);
    const uint64_t choices[] = {random(), ~0ull - random() % 64, value + random() % 4096,
                                original.size() - random() % 64, random() % 64};
    value = choices[random() % 5];
    std::memcpy(bytes + at, &value, 8);
    const rt::Image image = {bytes, original.size()};
    const size_t n = rt::collect_symbols(image, 0, symbols.data(), symbols.size());
    fewer += n < all / 2;
    for (size_t i = 0; i < n; i += 97) checked += std::strlen(symbols[i].name);
    std::memcpy(bytes + at, original.data() + at, 8);
  }
  for (size_t size : {size_t{0}, size_t{1}, size_t{63}, size_t{64}, original.size() - 1}) {
    rt::count_symbols({memory + pages - size, size});
    std::memcpy(memory + pages - size, original.data(), size);
    rt::count_symbols({memory + pages - size, size});
  }
  EXPECT_GT(checked, 0u);
  EXPECT_GT(fewer, 0u);
  munmap(memory, pages + 4096);
}

}  // namespace
}  // namespace elf_test
