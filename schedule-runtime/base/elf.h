// The symbol tables of the loaded modules, read from their files. The names stay the same under
// ASLR and across rebuilds; dladdr() does not know them for local functions. Files stay mapped, and
// names point into them. Nothing is allocated by the target's allocator.
//
// Only one kernel thread at a time may use it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::rt {

struct Symbol {
  const char* name;  // mangled; lives as long as the process
  uintptr_t start;   // an address. For a thread-local: its offset in the module's block
  size_t size;       // never 0 for a function or object: if unknown, it reaches to the next symbol
  uint8_t type;      // STT_FUNC, STT_OBJECT, STT_GNU_IFUNC, STT_TLS
};

// The function or object that contains the address; nullptr if unknown. If one address has several names, the choice is always the same:
// the longest symbol, then the first by name.
const Symbol* find_symbol(uintptr_t address);

// The load bias of the module that contains the address, and its file. 0 and nullptr if there is none.
uintptr_t module_base_of(uintptr_t address);
const char* module_name_of(uintptr_t address);
bool is_main_executable(uintptr_t address);
// In a shared library that is neither instrumented nor one of the system's.
bool of_bare_library(uintptr_t address);
size_t count_bare_libraries();
// In the C library itself.
bool of_c_library(uintptr_t address);

// Every function of the loaded modules.
using SymbolCallback = void (*)(const Symbol& symbol, void* argument);
void each_function(SymbolCallback callback, void* argument);

// Every thread-local variable of the main executable. False if the executable is stripped: then only exported variables, if any, were
// reported.
bool tls_symbols(SymbolCallback callback, void* argument);

// A file in memory, for the functions above and for their tests. Collects the symbols that are
// defined in it into `out` (at most `capacity`, sorted by address, one per address) and returns
// their number. Damaged tables give fewer symbols, never a read outside of the file.
struct Image {
  const unsigned char* data;
  size_t size;
};
// The executable of this process.
inline constexpr char kOwnExecutable[] = "/proc/self/exe";
// An empty image when it cannot be read.
Image map_file(const char* path);
// Why the executable has no symbol table to read, and what to do about it, for messages.
const char* why_no_symbols();
const char* what_symbols_need();
void unmap_file(const Image& image);
size_t count_symbols(const Image& image);
size_t collect_symbols(const Image& image, uintptr_t bias, Symbol* out, size_t capacity);

// Every entry of the file's most complete table, unchanged and in its order. Local symbols follow the name of their compilation unit (of
// type STT_FILE). Undefined symbols are imports. Addresses are the file's, without the load bias.
struct RawSymbol {
  const char* name;
  uint8_t type;
  bool defined;
  bool local;
  uintptr_t start;
  size_t size;
};
using RawSymbolCallback = void (*)(const RawSymbol& symbol, void* argument);
// False: the file is stripped, and only exported or imported symbols were reported.
bool each_symbol(const Image& image, RawSymbolCallback callback, void* argument);

}  // namespace heddle::rt
