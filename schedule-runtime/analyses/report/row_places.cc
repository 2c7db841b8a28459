#include "analyses/report/row_places.h"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "analyses/report/memory_words.h"
#include "analyses/report/names.h"
#include "analyses/report/positions.h"
#include "analyses/report/wrappers.h"
#include "base/path.h"

namespace heddle::rt {
namespace {

constinit const char* g_file = nullptr;
constinit const char* g_lettered[26] = {};
constinit uint32_t g_lettered_count = 0;

// Null: there are several.
const char* only_file() {
  const char* file = nullptr;
  for (const Row& r : rows()) {
    const uint32_t site = site_of_row(r);
    if (!r.shown || own_site(site) || in_library(site)) continue;
    const Frame& f = frame_of_row(r);
    if (f.file == nullptr || f.line == 0 || (file != nullptr && strcmp(f.file, file) != 0)) return nullptr;
    file = f.file;
  }
  return file;
}

uint32_t letter_of(const char* file) {
  const auto same = [file](const char* other) { return strcmp(other, file) == 0; };
  return static_cast<uint32_t>(std::find_if(g_lettered, g_lettered + g_lettered_count, same) - g_lettered);
}

// The end of its path, as long as it takes to tell it from the other lettered files.
const char* distinct_name(const char* file) {
  const auto names = [](const char* path, const char* name) {
    const size_t size = strlen(path), length = strlen(name);
    return size >= length && strcmp(path + size - length, name) == 0 && (size == length || path[size - length - 1] == '/');
  };
  const auto ambiguous = [&](const char* name) {
    return std::count_if(g_lettered, g_lettered + g_lettered_count, [&](const char* path) { return names(path, name); }) > 1;
  };
  const char* name = base_name(file);
  while (name != file && ambiguous(name)) {
    --name;
    while (name != file && name[-1] != '/') --name;
  }
  return name;
}

void choose_letters(uint32_t width) {
  constexpr size_t kRoomForOperation = 20;
  bool narrow = false;
  for (const Row& r : rows()) {
    const Frame& f = frame_of_row(r);
    if (!r.shown || f.file == nullptr || f.line == 0 || own_site(site_of_row(r))) continue;
    narrow |= kRoomForOperation + strlen(base_name(f.file)) > width;
    if (letter_of(f.file) == g_lettered_count && g_lettered_count < std::size(g_lettered)) g_lettered[g_lettered_count++] = f.file;
  }
  if (!narrow) g_lettered_count = 0;
}

}  // namespace

void find_row_places() {
  begin_wrappers();
  for (const Row& r : rows()) {
    const bool memory = accesses_memory(r.event.kind) || (r.aside != nullptr && !r.aside->failure);
    if (r.shown) add_operation(r.event.pc_index, r.context, memory);
    else leave_out_operation();
  }
  find_wrappers();
}

void choose_file_names(uint32_t columns, uint32_t width) {
  g_file = only_file();
  g_lettered_count = 0;
  if (g_file == nullptr && columns > 1) choose_letters(width);
}

void put_file_names(Text& out) {
  if (g_file != nullptr) out.add("(:41 is line 41 of %s)\n", base_name(g_file));
  for (uint32_t i = 0; i < g_lettered_count; ++i) {
    out.add("%s%c is %s", i == 0 ? "(" : ", ", 'A' + static_cast<char>(i), distinct_name(g_lettered[i]));
  }
  if (g_lettered_count != 0) out.put(")\n");
}

const Frame& frame_of_row(const Row& row) {
  return row.shown ? frame_of_operation(static_cast<uint32_t>(&row - rows().data())) : user_frame(site_of_row(row));
}

uint32_t site_of_row(const Row& row) { return user_site(row.event.pc_index, row.context); }

void put_cell_place(Text& cell, const Frame& frame) {
  const uint32_t letter = frame.file != nullptr && frame.line != 0 ? letter_of(frame.file) : g_lettered_count;
  if (g_file != nullptr && frame.file != nullptr && strcmp(frame.file, g_file) == 0) cell.add(":%u", frame.line);
  else if (letter < g_lettered_count) cell.add("%c:%u", 'A' + static_cast<char>(letter), frame.line);
  else put_place(cell, frame);
}

const char* file_of_table() { return g_file; }

}  // namespace heddle::rt
