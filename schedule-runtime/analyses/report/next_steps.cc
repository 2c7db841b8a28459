#include "analyses/report/next_steps.h"

#include <cstdlib>
#include <span>
#include <string_view>

#include "analyses/report/preemptions.h"
#include "analyses/signals.h"
#include "base/afl.h"
#include "base/build_id.h"
#include "trace/live_state.h"

namespace heddle::rt {
namespace {

constexpr size_t kShownBytes = 64;

constinit SavedInput g_saved = nullptr;
constinit bool g_searches = false;

// `abc\n\x00`, in quotes.
void put_bytes(Text& out, std::span<const uint8_t> bytes) {
  out.put("\"");
  for (size_t i = 0; i < bytes.size() && i < kShownBytes; ++i) {
    const uint8_t c = bytes[i];
    if (c == '\n') out.put("\\n");
    else if (c == '"' || c == '\\') out.add("\\%c", c);
    else if (c >= ' ' && c < 0x7F) out.add("%c", c);
    else out.add("\\x%02x", c);
  }
  out.put(bytes.size() > kShownBytes ? "\"..." : "\"");
}

// As one word of a shell, unless it is one already.
void put_word(Text& out, std::string_view word) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=:,+@%";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string_view::npos) return out.put(word);
  out.put("'");
  for (const char c : word) {
    if (c == '\'') out.put("'\\''");
    else out.add("%c", c);
  }
  out.put("'");
}

void put_options(Text& out) {
  // The heddle command adds options of its own, and passes on what the user has set.
  const char* options = getenv("HEDDLE_OPTIONS_OF_USER");
  if (options == nullptr) options = getenv("HEDDLE_OPTIONS");
  if (options == nullptr || *options == 0) return;
  out.put("HEDDLE_OPTIONS=");
  put_word(out, options);
  out.put(" ");
}

void put_replay(Text& out, const Story& story, const char* program) {
  const char* const kind = story.type == FindingType::timeout ? "timeout" : story.type == FindingType::out_of_memory ? "oom" : story.type == FindingType::leak ? "leak" : "crash";
  const char* const file = g_saved != nullptr ? g_saved(kind) : nullptr;
  out.put("To replay: ");
  put_options(out);
  put_word(out, program);
  out.put(" ");
  if (file != nullptr) put_word(out, file);
  else out.put(afl_linked() ? "FILE   (AFL++ saves this input in crashes/)" : "FILE   (this input)");
  out.put("\n");
}

// These are written into schedules, and change no other input.
bool options_for_schedules() {
  const Options& o = options();
  return !o.spurious || o.timeouts[0] != 'a' || o.memory[0] == 'r';
}

}  // namespace

void set_saved_input(SavedInput saved, bool searches) {
  g_saved = saved;
  g_searches = searches;
}

void put_next_steps(Text& out, const RunSummary& run, const Story& story, const char* program) {
  out.put("\n");
  if (story.type != FindingType::leak) out.add("Signature: %016llx\n", static_cast<unsigned long long>(signature(story)));
  const bool foreign = (run.flags & kRunForeign) != 0;
  // The first input after the certificate's, too, if it is one that heddle has converted (memory=rc11).
  if (const uint64_t n = executions_begun(); n > 2 || (g_searches && !foreign)) {
    out.add("Found in execution %llu of this process\n", static_cast<unsigned long long>(n));
  } else if (foreign) {
    out.put("Found with the default schedule: the input contains no schedule");
    out.put(options_for_schedules() ? ". So timeouts, spurious and memory in HEDDLE_OPTIONS do not apply to it; in a search they do\n" : "\n");
  }
  out.add("Preemptions: %u\n", preemptions(run));
  const std::span<const uint8_t> payload = live_state().payload();
  if (!payload.empty()) {
    out.put("Data bytes: ");
    put_bytes(out, payload);
    out.add(" (%zu)\n", payload.size());
  }
  put_replay(out, story, program);
  if (const auto id = build_id(); !id.empty()) {
    out.put("Build ID: ");
    for (const uint8_t byte : id) out.add("%02x", byte);
    out.put("\n");
  }
}

}  // namespace heddle::rt
