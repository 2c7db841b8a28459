#include "intercept/descriptors/new_files.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <algorithm>
#include <cerrno>
#include <string_view>

#include "base/options.h"
#include "base/raw_syscall.h"
#include "engine/engine.h"
#include "engine/program_exit.h"
#include "intercept/descriptors/directory_turns.h"
#include "restore/touched_state.h"

namespace heddle::rt {
namespace {

struct Name {
  uint32_t begin;
  bool ours;  // the execution has created it
};
struct List {
  static constexpr uint32_t kNames = 1 << 12, kText = 1 << 20;

  Directories directories;
  uint32_t count;
  uint32_t end;  // of the text
  Name names[kNames];
  char text[kText];

  const char* at(uint32_t index) const { return text + names[index].begin; }
};
constinit List* g_list = nullptr;

bool applies() { return current_thread() != nullptr && !options().keep_files; }

bool is_there(int at, const char* path, long& error) {
  struct stat found;
  error = raw_syscall(SYS_newfstatat, word(at), reinterpret_cast<uintptr_t>(path), word(&found), AT_SYMLINK_NOFOLLOW);
  return error == 0;
}

constinit TouchedState g_touched{remove_new_files};

const Name* find(std::string_view path) {
  for (uint32_t i = g_list->count; i-- != 0;) {
    if (path == g_list->at(i)) return &g_list->names[i];
  }
  return nullptr;
}

void add(std::string_view path, bool ours) {
  List& l = *g_list;
  if (l.count == List::kNames || path.size() >= List::kText - l.end) return;
  memcpy(l.text + l.end, path.data(), path.size());
  l.text[l.end + path.size()] = 0;
  l.names[l.count++] = {l.end, ours};
  l.end += static_cast<uint32_t>(path.size()) + 1;
}

bool has_list() {
  g_touched.touch();
  share_new_files();
  return g_list != nullptr;
}

void remember(std::string_view path) {
  if (find(path) == nullptr) add(path, true);
}

// Another process of the target may create files there, too. True: it has ended an execution meanwhile.
bool wait_for_turn(std::string_view path) {
  const std::string_view directory = path.substr(0, std::max<size_t>(path.rfind('/'), 1));
  const Name* const known = find(directory);
  if ((known != nullptr && known->ours) || directory == "/dev" || directory.substr(0, 5) == "/proc") return false;
  return add_directory(g_list->directories, directory);
}

}  // namespace

NewFile::NewFile(int at, const char* path) {
  long error;
  if (path == nullptr || !applies() || (!is_there(at, path, error) && error != -ENOENT) || !has_list() || !path_.set(at, path)) return;
  if (wait_for_turn(path_.view())) is_there(at, path, error);
  is_new_ = error == -ENOENT;
}

void NewFile::made() {
  if (is_new_) remember(path_.view());
}

void NewFile::moved(int at, const char* path) {
  WholePath before;
  if (!is_new_ || !before.set(at, path)) return;
  const Name* const known = find(before.view());
  if (known == nullptr || !known->ours) return;  // the user's file has another name now
  remember(path_.view());
  // What is in a directory has moved with it.
  before.add("/");
  for (uint32_t i = 0, n = g_list->count; i < n; ++i) {
    const std::string_view name = g_list->at(i);
    if (!g_list->names[i].ours || !name.starts_with(before.view())) continue;
    WholePath inside = path_;
    if (inside.add("/") && inside.add(name.substr(before.view().size()))) add(inside.view(), true);
  }
}

void new_file_made(int at, const char* path) {
  WholePath whole;
  if (applies() && has_list() && whole.set(at, path)) remember(whole.view());
}

void file_leaves(int at, const char* path) {
  long error;
  WholePath whole;
  if (path == nullptr || !applies() || !is_there(at, path, error) || !has_list() || !whole.set(at, path)) return;
  if (find(whole.view()) == nullptr) add(whole.view(), false);
}

void share_new_files() {
  if (g_list != nullptr) return;
  const long memory = raw_syscall(SYS_mmap, 0, sizeof(List), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, ~uintptr_t{0}, 0);
  if (memory > 0) g_list = reinterpret_cast<List*>(memory);
}

void take_turn_with_files() {
  if (g_list != nullptr) lock_directories(g_list->directories);
}

void end_turn_with_files() {
  if (g_list != nullptr && g_list->directories.count != 0) unlock_directories();
}

// A child process of the program ends before the execution does.
void remove_new_files() {
  if (g_list == nullptr || in_child_process()) return;
  List& l = *g_list;
  for (uint32_t i = l.count; i-- != 0;) {
    if (!l.names[i].ours) continue;
    const long error = raw_syscall(SYS_unlinkat, word(AT_FDCWD), word(l.at(i)), 0);
    if (error == -EISDIR || error == -EPERM) raw_syscall(SYS_unlinkat, word(AT_FDCWD), word(l.at(i)), AT_REMOVEDIR);
  }
  l.count = l.end = 0;
}

}  // namespace heddle::rt
