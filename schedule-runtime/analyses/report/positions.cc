#include "analyses/report/positions.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "analyses/report/demangled_name.h"
#include "analyses/report/function_name.h"
#include "analyses/report/split_variable.h"
#include "analyses/report/symbolizer.h"
#include "analyses/report/symbolizer_answer.h"
#include "base/elf.h"
#include "base/own_code.h"
#include "base/path.h"
#include "base/program_code.h"
#include "trace/contexts.h"
#include "trace/sites.h"

namespace heddle::rt {
namespace {

constexpr size_t kMaxFrames = 1 << 18;
constexpr size_t kNameBytes = 1 << 24;

struct Known {
  uint32_t first;
  uint32_t count;  // 0: not asked yet
};

constinit ReservedArray<Known> g_known;
constinit ReservedArray<Frame> g_frames;
constinit ReservedArray<char> g_names;
constinit PositionSource g_source = nullptr;

const char* keep(const char* text, size_t size) {
  if (g_names.size() + size + 1 > g_names.capacity()) return "?";
  char* copy = g_names.end();
  memcpy(copy, text, size);
  copy[size] = 0;
  g_names.resize(g_names.size() + size + 1);
  return copy;
}

bool starts_with(const char* text, const char* prefix) { return strncmp(text, prefix, strlen(prefix)) == 0; }

// For a lambda the symbolizer returns "operator()". That tells a reader nothing, and ClusterFuzz ignores it: a finding with only lambdas in
// its stack would have no name. So take the name of the function around it.
const char* name_of_call_operator(const char* mangled) {
  const char* around = mangled != nullptr ? short_function_name(mangled) : "_Z";
  if (starts_with(around, "_Z")) around = lambda_among_types(mangled);
  if (around == nullptr) return "operator()";
  if (strstr(around, "::lambda") != nullptr || strstr(around, "::$_") != nullptr) return keep(around, strlen(around));
  char name[256];
  const int size = snprintf(name, sizeof name, "%s::lambda", around);
  return keep(name, std::min(static_cast<size_t>(size), sizeof name - 1));
}

void ask_symbolizer(const SiteInfo& info, Known& known) {
  std::string_view answer = answer_for_code(info.pc - 1);
  while (!answer.empty() && !g_frames.full()) {
    const AnsweredFrame answered = take_frame(answer);
    if (unknown(answered.function)) break;
    char name[512];
    const bool anonymous = answered.function == "operator()";
    Frame frame = {anonymous ? name_of_call_operator(info.function) : keep(name, put_qualified_name(answered.function, name, sizeof name)), nullptr,
                   answered.line, answered.column};
    frame.wraps = !anonymous && answered.line != 0 && answered.line == answered.first_line;
    if (!unknown(answered.file)) frame.file = keep(answered.file.data(), answered.file.size());
    g_frames.push() = frame;
    ++known.count;
  }
}

void fall_back(const SiteInfo& info, Known& known) {
  char name[512];
  if (info.function != nullptr) {
    snprintf(name, sizeof name, "%s+0x%x", short_function_name(info.function), info.offset);
  } else {
    const char* module = module_name_of(info.pc - 1);
    snprintf(name, sizeof name, "%s+0x%x", module != nullptr ? base_name(module) : "?", info.offset);
  }
  g_frames.push() = {keep(name, strlen(name)), nullptr, 0, 0};
  known.count = 1;
}

// The place where heddle runs the program's handlers and destructors for the C library. Reports use the names that a stack has there
// outside of executions.
void name_own(const SiteInfo& info, Known& known) {
  const auto has = [&](const char* part) { return info.function != nullptr && strstr(info.function, part) != nullptr; };
  g_frames.push() = {has("exit_handler") ? "__run_exit_handlers" : has("destructors") ? "__call_tls_dtors" : "heddle", nullptr, 0, 0};
  known.count = 1;
}

bool library_frame(const Frame& f) {
  return starts_with(f.function, "std::") || starts_with(f.function, "__gnu_cxx::") || starts_with(f.function, "__gthread") ||
         (f.file != nullptr && ((strstr(f.file, "/include/") != nullptr && strstr(f.file, "/c++/") != nullptr) ||
                                strstr(f.file, "/gthr-default.h") != nullptr || strstr(f.file, "/include/heddle/") != nullptr));
}

}  // namespace

void set_position_source(PositionSource source) { g_source = source; }

Position position_of(uint32_t site) {
  if (g_source != nullptr) return g_source(site);
  g_known.reserve(1 << 20);
  g_frames.reserve(kMaxFrames);
  g_names.reserve(kNameBytes);
  static constexpr Frame kUnknown = {"??", nullptr, 0, 0};
  if (site >= sites().size() || g_frames.full()) return {&kUnknown, 1};
  Known& known = g_known[site];
  if (known.count == 0) {
    known.first = static_cast<uint32_t>(g_frames.size());
    if (of_heddle(sites()[site].pc - 1)) name_own(sites()[site], known);
    else ask_symbolizer(sites()[site], known);
    if (known.count == 0) fall_back(sites()[site], known);
  }
  return {g_frames.data() + known.first, known.count};
}

bool own_site(uint32_t site) { return site < sites().size() && of_heddle(sites()[site].pc - 1); }

const Frame& user_frame(uint32_t site) {
  const Position p = position_of(site);
  for (uint32_t i = 0; i < p.count; ++i) {
    if (!library_frame(p.frames[i])) return p.frames[i];
  }
  return p.frames[p.count - 1];
}

bool on_one_line(const Frame& a, const Frame& b) {
  return a.file != nullptr && b.file != nullptr && a.line != 0 && a.line == b.line && strcmp(a.file, b.file) == 0;
}

void put_place(Text& out, uint32_t site) { put_place(out, user_frame(site)); }

void put_place(Text& out, const Frame& f) {
  if (f.file != nullptr && f.line != 0) out.add("%s:%u", base_name(f.file), f.line);
  else out.put(f.function);
}

namespace {

void put_frame_place(Text& out, const Frame& f) {
  if (f.file == nullptr) {
    out.put(f.function);
    return;
  }
  out.add("%s:%u", f.file, f.line);
  if (f.column != 0) out.add(":%u", f.column);
  out.add(" in %s", f.function);
}

bool users(const Frame& f) { return f.file != nullptr && !library_frame(f); }

bool has_user_frame(uint32_t site) {
  if (own_site(site)) return false;
  // Whether its debug information is installed must not matter.
  if (g_source == nullptr && site < sites().size() && of_c_library(sites()[site].pc - 1)) return false;
  const Position p = position_of(site);
  for (uint32_t i = 0; i < p.count; ++i) {
    if (users(p.frames[i])) return true;
  }
  return false;
}

bool foreign(uint32_t site) { return site < sites().size() && (sites()[site].library || own_site(site)); }

// The end of the stack for a harness: the callers of this function do not matter to the user.
bool outermost(const Frame& f) {
  static constexpr const char kEntry[] = "LLVMFuzzerTestOneInput";
  const char after = starts_with(f.function, kEntry) ? f.function[sizeof kEntry - 1] : 'x';
  return after == 0 || after == '+';
}

void put_frame(Text& out, uint32_t number, uintptr_t pc, const Frame& f) {
  out.add("    #%u 0x%012llx in %s", number, static_cast<unsigned long long>(pc), f.function);
  if (f.file != nullptr) {
    out.add(" %s:%u", f.file, f.line);
    if (f.column != 0) out.add(":%u", f.column);
  }
  out.put("\n");
}

// False: the end of the stack is reached.
bool put_frames(Text& out, uint32_t site, uint32_t& number) {
  const Position p = position_of(site);
  const uintptr_t pc = site < sites().size() ? sites()[site].pc - 1 : 0;
  const bool any = has_user_frame(site);
  for (uint32_t i = 0; i < p.count; ++i) {
    const Frame& f = p.frames[i];
    // Without debug information, use the last frame, unless it belongs to a library.
    if (any ? !users(f) : i + 1 != p.count || ((foreign(site) || library_frame(f)) && number != 0)) continue;
    put_frame(out, number++, pc, f);
    if (outermost(f)) return false;
  }
  return true;
}

// The calls above the user's position of an operation. A position in a library has been replaced by the user's call: that call and those below it
// must not come again.
uint32_t calls_above(uint32_t start, uint32_t context) {
  for (uint32_t n = context; n != 0; n = contexts()[n].parent) {
    if (contexts()[n].site == start) return contexts()[n].parent;
    if (!foreign(contexts()[n].site) && !in_library(contexts()[n].site)) break;
  }
  return context;
}

// The operation was in a library, and `site` is the call into it. Searches the calls from there to the operation for one in a library
// function into which user code was inlined (std::__invoke_r). Recorded positions go by the function's name, so they count such a function
// as the library's.
uint32_t inlined_below(uint32_t site, uint32_t context) {
  uint32_t found = kNoUserSite;
  for (uint32_t n = context; n != 0; n = contexts()[n].parent) {
    const uint32_t call = contexts()[n].site;
    if (call == site) return found;
    if (!foreign(call)) break;
    if (found == kNoUserSite && has_user_frame(call)) found = call;
  }
  return kNoUserSite;
}

}  // namespace

uint32_t user_site(uint32_t site, uint32_t context) {
  if (!foreign(site) && in_library(site)) {
    // A library's template that was not inlined.
    for (uint32_t n = context; n != 0; n = contexts()[n].parent) {
      if (has_user_frame(contexts()[n].site)) return contexts()[n].site;
    }
  }
  if (!foreign(site)) {
    const uint32_t inner = inlined_below(site, context);
    return inner != kNoUserSite ? inner : site;
  }
  if (has_user_frame(site)) return site;
  for (uint32_t n = context; n != 0; n = contexts()[n].parent) {
    if (has_user_frame(contexts()[n].site)) return contexts()[n].site;
  }
  // Without debug information: the nearest call that is not in a library.
  for (uint32_t n = context; n != 0; n = contexts()[n].parent) {
    if (!foreign(contexts()[n].site)) return contexts()[n].site;
  }
  return site;
}

void put_place_in_function(Text& out, uint32_t site) { put_frame_place(out, user_frame(site)); }

uint32_t user_frames(uint32_t site, uint32_t context, const Frame** out, uint32_t most) {
  const uint32_t start = user_site(site, context);
  uint32_t count = 0;
  const auto take = [&](uint32_t at) {
    const Position p = position_of(at);
    for (uint32_t i = 0; i < p.count && has_user_frame(at); ++i) {
      if (!users(p.frames[i])) continue;
      if (count == most || (count != 0 && outermost(p.frames[i]))) return false;
      out[count++] = &p.frames[i];
      if (outermost(p.frames[i])) return false;
    }
    return true;
  };
  if (!take(start) || count == 0) return count;
  for (uint32_t n = calls_above(start, context); n != 0 && take(contexts()[n].site); n = contexts()[n].parent) {
  }
  return count;
}

// The first frame of the user's that is no function of one line. Lambdas and the harness are no wrappers.
void put_place_of_operation(Text& out, uint32_t site, uint32_t context) {
  constexpr uint32_t kMost = 16;
  const Frame* frames[kMost];
  const uint32_t count = user_frames(site, context, frames, kMost);
  const Frame* const* const found = std::find_if(frames, frames + count, [](const Frame* f) { return !f->wraps; });
  put_frame_place(out, found != frames + count ? **found : user_frame(user_site(site, context)));
}

namespace {

// Until the first frame of the user's. libstdc++'s and libc++'s names.
bool counts_here(uint32_t site) {
  const Position p = position_of(site);
  for (uint32_t i = 0; i < p.count && !users(p.frames[i]); ++i) {
    for (const char* name : {"std::_Sp_counted_", "std::__shared_count", "std::__shared_weak_count", "std::__1::__shared_count", "std::__1::__shared_weak_count"}) {
      if (starts_with(p.frames[i].function, name)) return true;
    }
  }
  return false;
}

}  // namespace

bool in_library(uint32_t site) {
  const Position p = position_of(site);
  for (uint32_t i = 0; i < p.count; ++i) {
    if (!library_frame(p.frames[i])) return false;
  }
  return true;
}

bool in_library_primitive(uint32_t site) {
  const Position p = position_of(site);
  for (uint32_t i = 0; i < p.count && !users(p.frames[i]); ++i) {
    const char* name = p.frames[i].function;
    if (!starts_with(name, "std::")) continue;
    name += sizeof "std::" - 1;
    if (starts_with(name, "__1::")) name += sizeof "__1::" - 1;
    bool accessor = false;
    for (const char* of : {"atomic", "operator", "__atomic_base", "__atomic_float", "__atomic_impl", "__atomic_ref", "__cxx_atomic"}) accessor |= starts_with(name, of);
    if (!accessor) return true;
  }
  return false;
}

bool counts_references(uint32_t site, uint32_t context) {
  if (counts_here(site)) return true;
  // The calls between the user's position and the operation, in a build without inlining.
  for (uint32_t n = context; n != 0 && contexts()[n].site != site && foreign(contexts()[n].site); n = contexts()[n].parent) {
    if (counts_here(contexts()[n].site)) return true;
  }
  return false;
}

namespace {

bool in_program(uint32_t site) { return site < sites().size() && !is_runtime_function(sites()[site].function) && of_own_code(sites()[site].pc - 1); }

}  // namespace

bool has_users_code(uint32_t site) { return in_program(site) && (!foreign(site) || has_user_frame(site)); }
bool has_users_name(uint32_t site) { return in_program(site) && !foreign(site); }

void put_stack(Text& out, uint32_t site, uint32_t context) {
  const uint32_t start = user_site(site, context);
  uint32_t number = 0;
  uint32_t node = calls_above(start, context);
  if (!put_frames(out, start, number)) return;
  for (; node != 0 && number < 64; node = contexts()[node].parent) {
    if (!put_frames(out, contexts()[node].site, number)) return;
  }
}

namespace {

// Rows have little room.
const char* keep_without_noise(std::string_view name, std::string_view part, std::string_view more) {
  char out[512];
  size_t n = 0;
  while (!name.empty() && n < sizeof out) {
    bool noise = false;
    for (const std::string_view word : {"(anonymous namespace)::", "[abi:cxx11]"}) {
      if (!name.starts_with(word)) continue;
      name.remove_prefix(word.size());
      noise = true;
    }
    if (noise) continue;
    out[n++] = name[0];
    name.remove_prefix(1);
  }
  n += part.copy(out + n, sizeof out - n);
  n += more.copy(out + n, sizeof out - n);
  return keep(out, n);
}

}  // namespace

const char* datum_name(uintptr_t address, uintptr_t& offset_within) {
  const Symbol* symbol = find_symbol(address);
  if (symbol == nullptr || symbol->name == nullptr) return nullptr;
  offset_within = address - symbol->start;
  g_names.reserve(kNameBytes);
  std::string_view answer = symbolize_data(module_name_of(address), address - module_base_of(address));
  std::string_view name = take_line(answer);
  if (unknown(name)) name = short_function_name(symbol->name);
  const SplitVariable split = split_variable(name);
  return keep_without_noise(split.name, split.part, split.block ? "'s block" : "");
}

}  // namespace heddle::rt
