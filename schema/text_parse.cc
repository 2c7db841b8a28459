#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <string_view>

#include "schema/codec.h"
#include "schema/text.h"
#include "schema/text_lex.h"
#include "schema/text_line.h"
#include "schema/text_words.h"

namespace heddle {
namespace {

constexpr uint64_t kMax8 = std::numeric_limits<uint8_t>::max();
constexpr uint64_t kMax32 = std::numeric_limits<uint32_t>::max();
constexpr uint64_t kMax64 = std::numeric_limits<uint64_t>::max();

// A directive is a member function that reads the rest of its line.
class Parser : public text::LineReader {
 public:
  using LineReader::LineReader;

  bool parse(std::string_view text) {
    while (!text.empty()) {
      const size_t end = text.find('\n');
      const std::string_view line = text.substr(0, end);
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
      if (!begin_line(line)) return false;
      if (empty()) continue;
      if (!parse_line()) return false;
      if (!at_end()) return fail("unexpected " + shown(peek()) + " at the end of the line; remove it");
    }
    if (!headed_) {
      begin_line("");
      return fail("the text is empty; a schedule begins with 'heddle schedule 1'");
    }
    return true;
  }

  Schedule& schedule() { return schedule_; }

 private:
  using Directive = bool (Parser::*)();

  bool parse_line() {
    if (!headed_) return header();
    static const std::map<std::string_view, Directive> directives = {
        {"seed", &Parser::seed},
        {"strategy", &Parser::strategy},
        {"memory-model", &Parser::memory_model},
        {"assume", &Parser::assume},
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
    const auto it = directives.find(first());
    if (it != directives.end()) {
      pass();
      return (this->*it->second)();
    }
    const std::string_view w = first();
    const bool thread_word = w == "any" || w.starts_with("main") || w[0] == '#' || w[0] == 'T';
    if (thread_word) return element();
    return fail(shown(w) +
                " is not a keyword; write seed, strategy, memory-model, assume, pct-depth, stickiness, "
                "step-estimate, surw-site, visible-plain, weight, chain, reads-from, "
                "not-reads-from, select, delay, graph, payload, payload-hex or an element");
  }

  bool header() {
    uint64_t version = 0;
    if (!skip("heddle") || !skip("schedule") ||
        !text::parse_number(peek(), std::numeric_limits<uint16_t>::max(), version)) {
      return fail("this is not a schedule; the first line is 'heddle schedule 1'");
    }
    pass();
    if (version == 0 || version > kFormatVersion) {
      return fail("this is format " + std::to_string(version) + ", and this heddle reads up to " +
                  std::to_string(kFormatVersion) + "; use a newer heddle");
    }
    schedule_.version = static_cast<uint16_t>(version);
    headed_ = true;
    return true;
  }

  // Single settings may occur once: a second one would silently override the first.
  bool once() {
    const auto [it, added] = seen_.try_emplace(std::string(first()), line());
    return added || fail("'" + it->first + "' is already on line " +
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

  bool assume() {
    const auto names = [](size_t n) { return text::kAssumptionNames[n]; };
    if (!once()) return false;
    do {
      size_t i = 0;
      if (!take_name("an assumption", names, kAssumptionCount, i)) return false;
      schedule_.assumes = static_cast<uint8_t>(schedule_.assumes | 1 << i);
    } while (!at_end());
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
        !take_exact("from") || !room(schedule_.graph, kMaxGraphNodes, "graph lines")) {
      return false;
    }
    if (!skip("initial") && (!take_thread(n.from_thread) || !take_number("an index", kMax32, n.from_index))) return false;
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
                    " is not a quoted text; write \"...\" with \\n \\t \\r \\\\ \\\" or \\xNN");
      }
    } while (!at_end());
    return true;
  }

  bool payload_hex() {
    do {
      std::string_view word;
      if (!take_word("hexadecimal bytes", word)) return false;
      if (!text::parse_hex_bytes(word, schedule_.payload)) {
        return fail(shown(word) + " are not bytes; write pairs of hexadecimal digits");
      }
    } while (!at_end());
    return true;
  }

  Schedule schedule_;
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
