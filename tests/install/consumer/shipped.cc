// Code that uses the headers and is built without the runtime.
#include <heddle/csp.h>
#include <heddle/heddle.h>

int main() {
  auto numbers = heddle::make_chan<int>();
  heddle::go([numbers] { numbers.send(7); });
  const bool alone = !heddle::under_control() && heddle::payload().empty();
  return alone && numbers.receive() == 7 ? 0 : 1;
}
