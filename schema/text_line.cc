#include "schema/text_line.h"

#include <limits>

#include "schema/identity.h"
#include "schema/text_words.h"

namespace heddle::text {

constexpr uint64_t kMax8 = std::numeric_limits<uint8_t>::max();
constexpr uint64_t kMax32 = std::numeric_limits<uint32_t>::max();
constexpr uint64_t kMax64 = std::numeric_limits<uint64_t>::max();

std::string LineReader::shown(std::string_view word) { return "'" + printable(word, 60) + "'"; }

bool LineReader::begin_line(std::string_view line) {
  ++line_;
  next_ = 0;
  return split_words(line, words_) || fail("missing closing quote; add '\"'");
}

bool LineReader::fail(const std::string& what) {
  error_ = "line " + std::to_string(line_) + ": " + what;
  return false;
}

bool LineReader::take_word(std::string_view what, std::string_view& out) {
  if (at_end()) return fail("the line ends too early; add " + std::string(what));
  out = words_[next_++];
  return true;
}

bool LineReader::take_exact(std::string_view word) {
  if (peek() != word || at_end()) {
    return fail("expected '" + std::string(word) + "'" +
                (at_end() ? " at the end of the line" : " instead of " + shown(peek())));
  }
  ++next_;
  return true;
}

bool LineReader::skip(std::string_view word) {
  if (at_end() || peek() != word) return false;
  ++next_;
  return true;
}

bool LineReader::thread(std::string_view word, ThreadId& out) {
  if (word == "any") {
    out = kAnyThread;
    return true;
  }
  out = thread_by_name(word);
  if (out != kAnyThread) return true;
  return fail(shown(word) +
              " is not a thread; write 'any', 'main', 'main.0', '#<hex>' or, in a "
              "pattern, a variable T1 to T255");
}

bool LineReader::take_thread(ThreadId& out) {
  std::string_view word;
  return take_word("a thread", word) && thread(word, out);
}

// "main.0", "any", "T1", "T1=main.0"
bool LineReader::take_thread_pattern(Element& e) {
  std::string_view word;
  if (!take_word("a thread", word)) return false;
  if (!word.starts_with('T')) return thread(word, e.thread);
  const size_t equals = word.find('=');
  const std::string_view variable = word.substr(1, equals == word.npos ? equals : equals - 1);
  if (!number(variable, "a thread variable", kMax8, e.thread_var)) return false;
  if (e.thread_var == 0) return fail("thread variables are numbered from 1; write T1 to T255");
  return equals == word.npos || thread(word.substr(equals + 1), e.thread);
}

bool LineReader::take_kind(Kind& out) {
  std::string_view word;
  if (!take_word("an operation kind", word)) return false;
  bool found = false;
  out = kind_by_name(word, &found);
  return found || fail(shown(word) +
                       " is not an operation kind; write one of those in schema/kinds.h, such as "
                       "mutex_lock or atomic_load");
}

std::string LineReader::candidates(const std::vector<SiteId>& sites) const {
  std::string out;
  for (size_t i = 0; i < sites.size() && i < 6; ++i) {
    out +=
        (i == 0 ? "" : ", ") + site_text(sites[i]) + " (" + names_->comment(sites[i]) + ")";
  }
  if (sites.size() > 6) out += ", ...";
  return out;
}

bool LineReader::named_site(std::string_view name, SiteId& out) {
  if (names_ == nullptr) {
    return fail("the site " + shown(name) +
                " is given by name, but no names are known here; write its number, @0x...");
  }
  const std::vector<SiteId> sites = names_->lookup(name);
  if (sites.size() == 1) {
    out = sites[0];
    return true;
  }
  if (!sites.empty()) {
    return fail("the site " + shown(name) + " is ambiguous; write one of " + candidates(sites));
  }
  const std::vector<SiteId> near = names_->near(name);
  return fail("no site is known as " + shown(name) +
              (near.empty() ? "; write its number, @0x..."
                            : "; in that file there are " + candidates(near)));
}

bool LineReader::take_site(SiteId& out) {
  std::string_view word;
  if (!take_word("a site (@...)", word)) return false;
  if (!word.starts_with('@')) {
    return fail("expected a site instead of " + shown(word) + "; write @0x... or @file.cc:line");
  }
  word.remove_prefix(1);
  if (word.starts_with("0x")) return number(word, "a site", kMax64, out);
  if (word.size() >= 2 && word.front() == '"' && word.back() == '"') {
    word = word.substr(1, word.size() - 2);
  }
  return named_site(word, out);
}

bool LineReader::take_pattern(Element& e) {
  if (!take_thread_pattern(e) || !take_kind(e.kind) || !take_site(e.site)) return false;
  while (!at_end()) {
    if (skip("object")) {
      if (!take_number("an object", kMax64, e.object)) return false;
    } else if (peek().starts_with('#')) {
      std::string_view word = words_[next_++];
      if (!number(word.substr(1), "an occurrence", kMax32, e.occurrence)) return false;
    } else if (skip("context")) {
      if (!take_number("a context", kMax32, e.context)) return false;
    } else {
      break;
    }
  }
  return true;
}

bool LineReader::take_choice(int32_t& out) {
  std::string_view word;
  if (!take_word("a candidate", word)) return false;
  out = -1;
  if (word == "default") return true;
  const bool minus = word.starts_with('-');
  if (minus) word.remove_prefix(1);
  int64_t value = 0;
  if (!number(word, "a candidate", minus ? uint64_t{1} << 31 : kMax32 >> 1, value)) return false;
  out = static_cast<int32_t>(minus ? -value : value);
  return true;
}

}  // namespace heddle::text
