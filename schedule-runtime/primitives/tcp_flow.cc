#include "primitives/tcp_flow.h"

#include <errno.h>

#include <algorithm>

#include "primitives/tcp_ports.h"

namespace heddle::rt::primitives {
namespace {

// The other end was closed, or the connection has broken: no byte will be read any more.
bool is_over(const Description& d) {
  pollfd p = {d.number, 0, 0};
  return d.out->readers == 0 || raw_poll(&p, 1) > 0;
}

Description* reader_of(const Stream& s) {
  for (Description* d = next_description(nullptr); d != nullptr; d = next_description(d)) {
    if (d->in == &s) return d;
  }
  return nullptr;
}

void full_has_changed(const Stream& s) {
  for (Description* d = next_description(nullptr); d != nullptr; d = next_description(d)) {
    if (d->out == &s) output_has_changed(*d);
  }
}

bool has_no_room(const Stream& s) { return s.in_transit >= s.room; }

template <typename F>
void change(Stream& s, F how) {
  const bool before = has_no_room(s);
  how();
  if (before != has_no_room(s)) full_has_changed(s);
}

void set_in_transit(Stream& s, size_t bytes) {
  change(s, [&] { s.in_transit = bytes; });
}

// Half of a buffer is for the kernel's own needs.
void settle_room(Stream* s) {
  if (s == nullptr || !s->counted) return;
  int send = 0, receive = 0;
  for (Description* d = next_description(nullptr); d != nullptr; d = next_description(d)) {
    if (d->out == s) send = d->send_buffer;
    if (d->in == s) receive = d->receive_buffer;
  }
  const size_t both = send != 0 && receive != 0 ? (static_cast<size_t>(send) + static_cast<size_t>(receive)) / 2 : kTcpRoom;
  change(*s, [&] { s->room = std::min(kTcpRoom, both); });
}

// Calls with the first bytes only.
long call_with(const Transfer& t, int descriptor, std::span<iovec> parts, size_t bytes) {
  size_t i = 0;
  for (; i + 1 < parts.size() && parts[i].iov_len < bytes; ++i) bytes -= parts[i].iov_len;
  const size_t before = parts[i].iov_len;
  parts[i].iov_len = std::min(before, bytes);
  const long result = t.call(descriptor, parts.data(), static_cast<int>(i + 1));
  parts[i].iov_len = before;
  return result;
}

long write_counted(const Transfer& t, Description& d, Stream& s) {
  const size_t room = has_no_room(s) ? 0 : s.room - s.in_transit;
  const size_t bytes = std::min(size_of(t.parts), room);
  if (room == 0 && !is_over(d)) return -EAGAIN;
  const long written = call_with(t, d.number, t.parts, bytes);
  if (written < 0 && written != -EAGAIN) return written;
  if (written < 0 || static_cast<size_t>(written) < bytes) {
    count_no_longer(&s);
    return written;
  }
  set_in_transit(s, s.in_transit + bytes);
  // So that a wait for it finds it.
  const Description* const reader = bytes != 0 ? reader_of(s) : nullptr;
  if (reader != nullptr && !ready_by_itself(reader->number, POLLIN)) count_no_longer(&s);
  return written;
}

long read_counted(const Transfer& t, Description& d, Stream& s) {
  const size_t bytes = std::min(size_of(t.parts), s.in_transit);
  std::span<iovec> parts = t.parts;
  size_t got = 0;
  long result = 0;
  while (got < bytes) {
    result = call_with(t, d.number, parts, bytes - got);
    if (result == -EAGAIN && ready_by_itself(d.number, POLLIN)) continue;
    if (result <= 0) break;
    got += static_cast<size_t>(result);
    parts = rest_of(parts, static_cast<size_t>(result));
  }
  set_in_transit(s, s.in_transit - got);
  if (got < bytes) count_no_longer(&s);
  return got != 0 ? static_cast<long>(got) : result;
}

}  // namespace

void count_connection(const Description& end) {
  if (!is_tcp(end.number)) return;
  end.in->counted = end.out->counted = true;
  settle_room(end);
}

void settle_room(const Description& end) {
  settle_room(end.in);
  settle_room(end.out);
}

void count_no_longer(Stream* s) {
  if (s == nullptr || !s->counted) return;
  set_in_transit(*s, 0);
  s->counted = false;
}

void count_none() {
  for (Description* d = next_description(nullptr); d != nullptr; d = next_description(d)) {
    count_no_longer(d->in);
    count_no_longer(d->out);
  }
}

bool is_full(const Description& d) { return d.out != nullptr && d.out->counted && has_no_room(*d.out) && !is_over(d); }

long call_counted(const Transfer& t, Description& d, Stream& s) {
  if (t.urgent) count_no_longer(&s);
  if (s.counted && !t.parts.empty()) {
    if (t.kind == Kind::descriptor_write) return write_counted(t, d, s);
    if (s.in_transit != 0 && !t.peeks) return read_counted(t, d, s);
  }
  return t.run_on(d.number);
}

}  // namespace heddle::rt::primitives
