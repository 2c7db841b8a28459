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
  uintptr_t start;   // an address; for a thread-local its offset in the module's block
  size_t size;       // never 0 for a function or object: an unknown size reaches to the next symbol
  uint8_t type;      // STT_FUNC, STT_OBJECT, STT_GNU_IFUNC, STT_TLS
};

// The function or object that covers the address; nullptr if none is known. Of several names for
// one address always the same is chosen: the longest symbol, then the first by name.
const Symbol* find_symbol(uintptr_t address);

// Where the module that covers the address was loaded (the load bias), and its file; 0 and nullptr
// when there is none.
uintptr_t module_base_of(uintptr_t address);
const char* module_name_of(uintptr_t address);
bool is_main_executable(uintptr_t address);

// Every function of the loaded modules.
using SymbolCallback = void (*)(const Symbol& symbol, void* argument);
void each_function(SymbolCallback callback, void* argument);

// Every thread-local variable of the main executable. False when it has no symbol table to tell
// (stripped): then only the exported ones, if any, were reported.
bool tls_symbols(SymbolCallback callback, void* argument);

// A file in memory, for the functions above and for their tests. Collects the symbols that are
// defined in it into `out` (at most `capacity`, sorted by address, one per address) and returns
// their number. Damaged tables give fewer symbols, never a read outside of the file.
struct Image {
  const unsigned char* data;
  size_t size;
};
// An empty image when it cannot be read.
Image map_file(const char* path);
void unmap_file(const Image& image);
size_t count_symbols(const Image& image);
size_t collect_symbols(const Image& image, uintptr_t bias, Symbol* out, size_t capacity);

// Every entry of the file's fullest table, as it is and in its order: what is local to a unit of compilation follows the unit's
// name (of type STT_FILE); what is not defined is imported. Positions are the file's, not yet moved to where it was loaded.
struct RawSymbol {
  const char* name;
  uint8_t type;
  bool defined;
  bool local;
  uintptr_t start;
  size_t size;
};
using RawSymbolCallback = void (*)(const RawSymbol& symbol, void* argument);
// False: the file is stripped, and these were at most the symbols that it exports or imports.
bool each_symbol(const Image& image, RawSymbolCallback callback, void* argument);

}  // namespace heddle::rt
