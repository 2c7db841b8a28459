#include "harness/driver/streams.h"

#include <istream>
#include <ostream>

#include "engine/program_exit.h"

// As <iostream> has them; that one would bring a constructor of its own into heddle's object.
namespace std {
extern istream cin;
extern ostream cout, cerr, clog;
}  // namespace std

namespace heddle::driver {
namespace {

struct Saved {
  explicit Saved(std::ios& stream) : live(stream), format(nullptr), buffer(stream.rdbuf()) { format.copyfmt(stream); }
  void restore() {
    live.rdbuf(buffer);  // clears its error state, too
    live.copyfmt(format);
  }
  std::ios& live;
  std::ios format;
  std::streambuf* buffer;
};

struct Streams {
  std::ios_base::Init made;  // where the program does not use them, nobody else has
  Saved in{std::cin}, out{std::cout}, errors{std::cerr}, log{std::clog};
};
Streams* streams = nullptr;

void flush_streams() {
  for (std::ostream* stream : {&std::cout, &std::cerr, &std::clog}) {
    if (stream->rdbuf() != nullptr) stream->rdbuf()->pubsync();
  }
}

}  // namespace

void capture_streams() {
  if (streams != nullptr) return;
  streams = new Streams;  // never destroyed
  rt::set_stream_flush(flush_streams);
}

void restore_streams() {
  if (streams == nullptr) return;
  streams->in.restore();
  streams->out.restore();
  streams->errors.restore();
  streams->log.restore();
}

}  // namespace heddle::driver
