#include "primitives/file_number.h"

#include "primitives/closed_number.h"
#include "primitives/descriptor_table.h"
#include "trace/observer.h"

namespace heddle::rt::primitives {
namespace {

constexpr uint32_t kNobody = 0, kSeveral = UINT32_MAX;  // else a thread's index + 1

struct FileNumber {
  uint32_t user = kNobody;
  uint32_t closer = kNobody;  // until it is open again, and used
  uint32_t close = kNoEvent;  // of the closer, on no object so far
};

constinit ReservedArray<FileNumber> g_numbers;
constinit bool g_registered = false;

uint32_t me() { return current_thread()->index + 1; }

FileNumber* find(int number) {
  return number >= 0 && static_cast<size_t>(number) < g_numbers.size() ? &g_numbers[static_cast<size_t>(number)] : nullptr;
}

FileNumber* find_or_add(int number) {
  if (number < 0 || number >= kDescriptorLimit) return nullptr;
  if (!g_registered) {
    g_registered = true;
    g_numbers.reserve(kDescriptorLimit);
    add_observer({"numbers of files", nullptr, nullptr, [] { g_numbers.clear(); }});
  }
  while (g_numbers.size() <= static_cast<size_t>(number)) g_numbers.push() = {};
  return find(number);
}

}  // namespace

uint32_t note_file_number_use(int number) {
  FileNumber* const n = find_or_add(number);
  if (n == nullptr) return kNoEvent;
  if (n->closer == kNobody) {
    if (n->user == kNobody) n->user = me();
    else if (n->user != me()) n->user = kSeveral;
    return kNoEvent;
  }
  const uint32_t close = n->close;
  if (!number_names_something(number)) {
    n->close = kNoEvent;
    return close;
  }
  const bool again = n->closer == me();
  *n = {.user = me()};
  return again ? close : kNoEvent;
}

bool file_number_is_shared(int number) {
  const FileNumber* const n = find(number);
  return n != nullptr && (n->user == kSeveral || n->closer != kNobody);
}

void file_number_closed(int number, uint32_t close) {
  if (FileNumber* const n = find_or_add(number)) *n = {.closer = me(), .close = close};
}

}  // namespace heddle::rt::primitives
