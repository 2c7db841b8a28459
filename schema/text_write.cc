#include <algorithm>
#include <span>
#include <string>
#include <string_view>

#include "schema/codec.h"
#include "schema/identity.h"
#include "schema/text.h"
#include "schema/text_words.h"

namespace heddle {
namespace {

using text::hex;
using text::site_text;

constexpr size_t kPayloadBytesPerLine = 64;

std::string padded(std::string s, size_t width) {
  if (s.size() < width) s.resize(width, ' ');
  return s;
}

std::string thread_text(ThreadId thread) {
  return thread == kAnyThread ? "any" : thread_name(thread);
}

class Writer {
 public:
  explicit Writer(const SiteNames* names) : names_(names) {}

  std::string write(const Schedule& s) {
    out_ = "heddle schedule " + std::to_string(s.version) + "\n";
    parameters(s);
    for (SiteId site : s.visible_plain) line("visible-plain " + site_text(site), comment(site));
    for (const ThreadWeight& w : s.weights) {
      line("weight " + thread_text(w.thread) + " " + std::to_string(w.count));
    }
    chains(s);
    for (const ReadsFrom& c : s.reads_from) reads_from(c);
    for (const SelectPreference& p : s.selects) select(p);
    for (const Delay& d : s.delays) {
      line("delay " + pattern(d.what) + " until " +
               (d.until.site == kNoSite ? "idle" : pattern(d.until)),
           comments(d.what.site, " until ", d.until.site));
    }
    for (const GraphNode& n : s.graph) graph(n);
    payload(s.payload);
    return std::move(out_);
  }

 private:
  void line(std::string text, const std::string& comment = {}) {
    out_ += text;
    if (!comment.empty()) out_ += "  // " + comment;
    out_ += '\n';
  }

  std::string comment(SiteId site) const { return names_ ? names_->comment(site) : std::string(); }

  std::string comments(SiteId a, std::string_view between, SiteId b) const {
    const std::string first = comment(a), second = comment(b);
    if (second.empty()) return first;
    return first + std::string(between) + second;
  }

  std::string pattern(const Element& e, size_t thread_width = 0, size_t kind_width = 0) const {
    std::string thread = thread_text(e.thread);
    if (e.thread_var != 0) {
      const std::string variable = "T" + std::to_string(e.thread_var);
      thread = e.thread == kAnyThread ? variable : variable + "=" + thread;
    }
    std::string out = padded(thread, thread_width) + " " +
                      padded(std::string(kind_info(e.kind).name), kind_width) + " " +
                      site_text(e.site);
    if (e.object != kAnyObject) out += " object " + hex(e.object);
    if (e.occurrence != 0) out += " #" + std::to_string(e.occurrence);
    if (e.context != 0) out += " context " + hex(e.context);
    return out;
  }

  void parameters(const Schedule& s) {
    if (s.seed != 0) line("seed " + hex(s.seed));
    if (s.strategy != StrategyId::automatic) {
      line("strategy " + std::string(text::kStrategyNames[static_cast<int>(s.strategy)]));
    }
    if (s.memory_model != MemoryModel::sc) {
      line("memory-model " +
           std::string(text::kMemoryModelNames[static_cast<int>(s.memory_model)]));
    }
    if (s.assumes != 0) line("assume" + assumptions(s.assumes));
    if (s.pct_depth != 0) line("pct-depth " + std::to_string(s.pct_depth));
    if (s.stickiness != 0) line("stickiness " + std::to_string(s.stickiness));
    if (s.step_estimate != 0) line("step-estimate " + std::to_string(s.step_estimate));
    if (s.surw_site != kNoSite) line("surw-site " + site_text(s.surw_site), comment(s.surw_site));
  }

  static std::string assumptions(uint8_t bits) {
    std::string out;
    for (int i = 0; i < kAssumptionCount; ++i) {
      if ((bits & 1 << i) != 0) out.append(" ").append(text::kAssumptionNames[i]);
    }
    return out;
  }

  // In the vector's own order, with a heading whenever the chain changes.
  void chains(const Schedule& s) {
    size_t thread_width = 0, kind_width = 0;
    for (const Element& e : s.elements) {
      thread_width = std::max(thread_width, thread_text(e.thread).size());
      kind_width = std::max(kind_width, kind_info(e.kind).name.size());
    }
    const Element* last = nullptr;
    for (const Element& e : s.elements) {
      if (last == nullptr || last->chain != e.chain) line("chain " + std::to_string(e.chain));
      line("  " + pattern(e, thread_width, kind_width), comment(e.site));
      last = &e;
    }
  }

  void reads_from(const ReadsFrom& c) {
    std::string text = c.negative != 0 ? "not-reads-from " : "reads-from ";
    if (c.shield != 0) text += "shield ";
    text += pattern(c.read) + " <- " + (c.write.site == kNoSite ? "initial" : pattern(c.write));
    line(text, comments(c.read.site, " <- ", c.write.site));
  }

  void select(const SelectPreference& p) {
    std::string text = "select " + thread_text(p.thread) + " " +
                       std::string(kind_info(p.kind).name) + " " + site_text(p.site);
    text += " instance " + (p.instance == 0 ? "every" : std::to_string(p.instance));
    text += " takes " + (p.choice == -1 ? "default" : std::to_string(p.choice));
    line(text, comment(p.site));
  }

  void graph(const GraphNode& n) {
    line("graph " + thread_text(n.thread) + " " + std::to_string(n.index) + " " +
             std::string(kind_info(n.kind).name) + " " + site_text(n.site) + " " +
             std::string(text::order_name(static_cast<MemoryOrder>(n.order))) + " from " +
             (n.from_index == 0 ? std::string("initial") : thread_text(n.from_thread) + " " + std::to_string(n.from_index)),
         comment(n.site));
  }

  void payload(std::span<const uint8_t> bytes) {
    const auto readable = [](uint8_t b) {
      return (b >= 0x20 && b < 0x7F) || b == '\n' || b == '\t';
    };
    const size_t count = static_cast<size_t>(std::count_if(bytes.begin(), bytes.end(), readable));
    const bool as_text = count * 4 >= bytes.size() * 3;
    for (size_t at = 0; at < bytes.size();) {
      const auto part = bytes.subspan(at, std::min(kPayloadBytesPerLine, bytes.size() - at));
      line(as_text ? "payload " + quoted(part) : "payload-hex" + digits(part));
      at += part.size();
    }
  }

  static std::string quoted(std::span<const uint8_t> bytes) {
    std::string out = "\"";
    for (uint8_t b : bytes) {
      if (b == '\n') {
        out += "\\n";
      } else if (b == '\t') {
        out += "\\t";
      } else if (b == '"' || b == '\\') {
        out += '\\';
        out += static_cast<char>(b);
      } else if (b >= 0x20 && b < 0x7F) {
        out += static_cast<char>(b);
      } else {
        out += "\\x" + hex(b, 2).substr(2);
      }
    }
    return out + "\"";
  }

  static std::string digits(std::span<const uint8_t> bytes) {
    std::string out;
    for (size_t i = 0; i < bytes.size(); ++i) {
      if (i % 8 == 0) out += ' ';
      out += hex(bytes[i], 2).substr(2);
    }
    return out;
  }

  const SiteNames* names_;
  std::string out_;
};

}  // namespace

std::string to_text(const Schedule& schedule, const SiteNames* names) {
  Schedule clamped = schedule;
  clamp_schedule(clamped);
  return Writer(names).write(clamped);
}

}  // namespace heddle
