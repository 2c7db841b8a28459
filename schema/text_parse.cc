#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "schema/codec.h"
#include "schema/identity.h"
#include "schema/text.h"
#include "schema/text_lex.h"
#include "schema/text_words.h"

namespace heddle {
namespace {

using text::printable;

constexpr uint64_t kMax8 = std::numeric_limits<uint8_t>::max();
constexpr uint64_t kMax32 = std::numeric_limits<uint32_t>::max();
constexpr uint64_t kMax64 = std::numeric_limits<uint64_t>::max();

std::string shown(std::string_view word) { return "'" + printable(word, 60) + "'"; }

// One line at a time; each directive reads its words with the take_* functions, which on failure
// have already written the error.
class Parser {
 public:
  explicit Parser(const SiteNames* names) : names_(names) {}

  bool parse(std::string_view text) {
    while (!text.empty()) {
      const size_t end = text.find('\n');
      const std::string_view line = text.substr(0, end);
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
      ++line_;
      if (!text::split_words(line, words_)) return fail("a quote is not closed; add '\"'");
      next_ = 0;
      if (words_.empty()) continue;
      if (!parse_line()) return false;
      if (next_ != words_.size()) {
        return fail("unexpected " + shown(words_[next_]) + " at the end of the line; remove it");
      }
    }
    if (!headed_) {
      ++line_;
      return fail("the text is empty; a schedule begins with 'heddle schedule 1'");
    }
    return true;
  }

  Schedule& schedule() { return schedule_; }
  const std::string& error() const { return error_; }

 private:
  using Directive = bool (Parser::*)();

  bool fail(const std::string& what) {
    error_ = "line " + std::to_string(line_) + ": " + what;
    return false;
  }

  // --- words ---

  bool at_end() const { return next_ == words_.size(); }
  std::string_view peek() const { return at_end() ? std::string_view() : words_[next_]; }

  bool take_word(std::string_view what, std::string_view& out) {
    if (at_end()) return fail("the line ends where " + std::string(what) + " should stand; add it");
    out = words_[next_++];
    return true;
  }

  bool take_exact(std::string_view word) {
    if (peek() != word || at_end()) {
      return fail("expected '" + std::string(word) + "'" +
                  (at_end() ? " at the end of the line" : " instead of " + shown(peek())));
    }
    ++next_;
    return true;
  }

  bool skip(std::string_view word) {
    if (at_end() || peek() != word) return false;
    ++next_;
    return true;
  }

  template <typename T>
  bool number(std::string_view word, std::string_view what, uint64_t max, T& out) {
    uint64_t value = 0;
    if (!text::parse_number(word, max, value)) {
      return fail(shown(word) + " is not " + std::string(what) + "; write a number from 0 to " +
                  std::to_string(max) + ", decimal or 0x...");
    }
    out = static_cast<T>(value);
    return true;
  }

  template <typename T>
  bool take_number(std::string_view what, uint64_t max, T& out) {
    std::string_view word;
    return take_word(what, word) && number(word, what, max, out);
  }

  bool thread(std::string_view word, ThreadId& out) {
    if (word == "any") {
      out = kAnyThread;
      return true;
    }
    out = thread_by_name(word);
    if (out != kAnyThread) return true;
    return fail(shown(word) +
                " is no thread; write 'any', 'main', 'main.0', '#<hex>' or, in a "
                "pattern, a variable T1 to T255");
  }

  bool take_thread(ThreadId& out) {
    std::string_view word;
    return take_word("a thread", word) && thread(word, out);
  }

  // "main.0", "any", "T1", "T1=main.0"
  bool take_thread_pattern(Element& e) {
    std::string_view word;
    if (!take_word("a thread", word)) return false;
    if (!word.starts_with('T')) return thread(word, e.thread);
    const size_t equals = word.find('=');
    const std::string_view variable = word.substr(1, equals == word.npos ? equals : equals - 1);
    if (!number(variable, "a thread variable", kMax8, e.thread_var)) return false;
    if (e.thread_var == 0) return fail("thread variables are numbered from 1; write T1 to T255");
    return equals == word.npos || thread(word.substr(equals + 1), e.thread);
  }

  bool take_kind(Kind& out) {
    std::string_view word;
    if (!take_word("an operation kind", word)) return false;
    bool found = false;
    out = kind_by_name(word, &found);
    return found || fail(shown(word) +
                         " is no operation kind; write one of those in schema/kinds.h, such as "
                         "mutex_lock or atomic_load");
  }

  std::string candidates(const std::vector<SiteId>& sites) const {
    std::string out;
    for (size_t i = 0; i < sites.size() && i < 6; ++i) {
      out +=
          (i == 0 ? "" : ", ") + text::site_text(sites[i]) + " (" + names_->comment(sites[i]) + ")";
    }
    if (sites.size() > 6) out += ", ...";
    return out;
  }

  bool named_site(std::string_view name, SiteId& out) {
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

  // "@0x9a3f", "@queue.cc:41", "@_Zfoo+0x1c", "@"Queue::push(int, int)""
  bool take_site(SiteId& out) {
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

  // <thread> <kind> <site> [object N] [#N] [context N]
  bool take_pattern(Element& e) {
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

  template <typename Name>
  bool take_name(std::string_view what, const Name& names, size_t count, size_t& out) {
    std::string_view word;
    if (!take_word(what, word)) return false;
    std::string all;
    for (out = 0; out < count; ++out) {
      if (names(out) == word) return true;
      all += (out == 0 ? "" : ", ") + std::string(names(out));
    }
    return fail(shown(word) + " is not " + std::string(what) + "; write one of " + all);
  }

  // --- lines ---

  bool parse_line() {
    if (!headed_) return header();
    static const std::map<std::string_view, Directive> directives = {
        {"seed", &Parser::seed},
        {"strategy", &Parser::strategy},
        {"memory-model", &Parser::memory_model},
        {"pct-depth", &Parser::pct_depth},
        {"stickiness", &Parser::stickiness},
        {"step-estimate", &Parser::step_estimate},
        {"surw-site", &Parser::surw_site},
        {"visible-plain", &Parser::visible_plain},
        {"weight", &Parser::weight},
        {"chain", &Parser::chain},
        {"reads-from", &Parser::reads_from},
        {"not-reads-from", &Parser::not_reads_from},
        {"select", &Parser::select},
        {"delay", &Parser::delay},
        {"graph", &Parser::graph},
        {"payload", &Parser::payload},
        {"payload-hex", &Parser::payload_hex},
    };
    const auto it = directives.find(words_[0]);
    if (it != directives.end()) {
      ++next_;
      return (this->*it->second)();
    }
    const std::string_view w = words_[0];
    const bool thread_word = w == "any" || w.starts_with("main") || w[0] == '#' || w[0] == 'T';
    if (thread_word) return element();
    return fail(shown(w) +
                " begins no line; write seed, strategy, memory-model, pct-depth, stickiness, "
                "step-estimate, surw-site, visible-plain, weight, chain, reads-from, "
                "not-reads-from, select, delay, graph, payload, payload-hex or an element");
  }

  bool header() {
    uint64_t version = 0;
    if (!skip("heddle") || !skip("schedule") ||
        !text::parse_number(peek(), std::numeric_limits<uint16_t>::max(), version)) {
      return fail("this is not a schedule; the first line is 'heddle schedule 1'");
    }
    ++next_;
    if (version == 0 || version > kFormatVersion) {
      return fail("this is format " + std::to_string(version) + ", and this heddle reads up to " +
                  std::to_string(kFormatVersion) + "; use a newer heddle");
    }
    schedule_.version = static_cast<uint16_t>(version);
    headed_ = true;
    return true;
  }

  // Single settings may stand once: a second one would silently undo the first.
  bool once() {
    const auto [it, added] = seen_.try_emplace(std::string(words_[0]), line_);
    return added || fail("'" + it->first + "' stands already on line " +
                         std::to_string(it->second) + "; remove one of them");
  }

  template <typename T>
  bool room(const std::vector<T>& v, size_t limit, std::string_view what) {
    return v.size() < limit ||
           fail("more than " + std::to_string(limit) + " " + std::string(what) + "; remove some");
  }

  bool seed() { return once() && take_number("a seed", kMax64, schedule_.seed); }
  bool pct_depth() { return once() && take_number("a depth", kMax8, schedule_.pct_depth); }
  bool stickiness() { return once() && take_number("a chance", kMax8, schedule_.stickiness); }
  bool step_estimate() {
    return once() && take_number("an estimate", kMax32, schedule_.step_estimate);
  }
  bool surw_site() { return once() && take_site(schedule_.surw_site); }

  bool strategy() {
    size_t i = 0;
    const auto names = [](size_t n) { return text::kStrategyNames[n]; };
    if (!once() || !take_name("a strategy", names, kStrategyCount, i)) return false;
    schedule_.strategy = static_cast<StrategyId>(i);
    return true;
  }

  bool memory_model() {
    size_t i = 0;
    const auto names = [](size_t n) { return text::kMemoryModelNames[n]; };
    if (!once() || !take_name("a memory model", names, std::size(text::kMemoryModelNames), i)) {
      return false;
    }
    schedule_.memory_model = static_cast<MemoryModel>(i);
    return true;
  }

  bool visible_plain() {
    do {
      SiteId site = 0;
      if (!room(schedule_.visible_plain, kMaxVisiblePlain, "visible-plain sites") ||
          !take_site(site)) {
        return false;
      }
      schedule_.visible_plain.push_back(site);
    } while (!at_end());
    return true;
  }

  bool weight() {
    ThreadWeight w{};
    if (!take_thread(w.thread) || !take_number("a count", kMax32, w.count)) return false;
    schedule_.weights.push_back(w);
    return true;
  }

  bool chain() {
    if (!take_number("a chain", kMaxChains - 1, chain_)) return false;
    in_chain_ = true;
    return true;
  }

  bool element() {
    if (!in_chain_) return fail("an element stands before any chain; write 'chain 0' above it");
    Element e{};
    if (!room(schedule_.elements, kMaxElements, "elements") || !take_pattern(e)) return false;
    e.chain = chain_;
    schedule_.elements.push_back(e);
    return true;
  }

  bool constraint(bool negative) {
    ReadsFrom c{};
    c.negative = negative;
    if (!room(schedule_.reads_from, kMaxConstraints, "reads-from constraints")) return false;
    c.shield = skip("shield");
    if (!take_pattern(c.read) || !take_exact("<-")) return false;
    if (!skip("initial") && !take_pattern(c.write)) return false;
    schedule_.reads_from.push_back(c);
    return true;
  }
  bool reads_from() { return constraint(false); }
  bool not_reads_from() { return constraint(true); }

  bool select() {
    SelectPreference p{};
    if (!room(schedule_.selects, kMaxPreferences, "select preferences") || !take_thread(p.thread) ||
        !take_kind(p.kind) || !take_site(p.site) || !take_exact("instance")) {
      return false;
    }
    if (!skip("every") && !take_number("an instance", kMax32, p.instance)) return false;
    if (!take_exact("takes") || !take_choice(p.choice)) return false;
    schedule_.selects.push_back(p);
    return true;
  }

  bool take_choice(int32_t& out) {
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

  bool delay() {
    Delay d{};
    if (!room(schedule_.delays, kMaxDelays, "delays") || !take_pattern(d.what) ||
        !take_exact("until")) {
      return false;
    }
    if (!skip("idle") && !take_pattern(d.until)) return false;
    schedule_.delays.push_back(d);
    return true;
  }

  bool graph() {
    GraphNode n{};
    size_t order = 0;
    const auto names = [](size_t i) { return text::kOrderNames[i].name; };
    if (!take_thread(n.thread) || !take_number("an index", kMax32, n.index) || !take_kind(n.kind) ||
        !take_site(n.site) ||
        !take_name("a memory order", names, std::size(text::kOrderNames), order) ||
        !take_exact("from") || !take_thread(n.from_thread) ||
        !take_number("an index", kMax32, n.from_index)) {
      return false;
    }
    n.order = static_cast<uint8_t>(text::kOrderNames[order].order);
    schedule_.graph.push_back(n);
    return true;
  }

  bool payload() {
    do {
      std::string_view word;
      if (!take_word("a quoted text", word)) return false;
      if (!text::unquote(word, schedule_.payload)) {
        return fail(shown(word) +
                    " is no quoted text; write \"...\" with \\n \\t \\r \\\\ \\\" or \\xNN");
      }
    } while (!at_end());
    return true;
  }

  bool payload_hex() {
    do {
      std::string_view word;
      if (!take_word("hexadecimal bytes", word)) return false;
      if (!text::parse_hex_bytes(word, schedule_.payload)) {
        return fail(shown(word) + " are no bytes; write pairs of hexadecimal digits");
      }
    } while (!at_end());
    return true;
  }

  const SiteNames* names_;
  Schedule schedule_;
  std::string error_;
  std::vector<std::string_view> words_;
  size_t next_ = 0;
  size_t line_ = 0;
  bool headed_ = false;
  bool in_chain_ = false;
  uint8_t chain_ = 0;
  std::map<std::string, size_t> seen_;
};

}  // namespace

bool from_text(std::string_view text, Schedule& out, std::string& error, const SiteNames* names) {
  Parser parser(names);
  if (!parser.parse(text)) {
    error = parser.error();
    return false;
  }
  clamp_schedule(parser.schedule());
  out = std::move(parser.schedule());
  return true;
}

}  // namespace heddle
