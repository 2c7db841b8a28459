#include "harness/driver/output_passing.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cstring>
#include <iterator>

namespace heddle::driver {
namespace {

constexpr int kOutputs[] = {1, 2};

struct Message {
  char open = 0;  // bit i: kOutputs[i] is open and is passed. The kernel passes descriptors only together with data
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof kOutputs)] = {};
  iovec part = {&open, 1};
  msghdr header = {nullptr, 0, &part, 1, control, sizeof control, 0};
};

}  // namespace

void pass_outputs(int socket) {
  Message message;
  int sent[std::size(kOutputs)];
  size_t count = 0;
  for (size_t i = 0; i < std::size(kOutputs); ++i) {
    if (fcntl(kOutputs[i], F_GETFD) < 0) continue;
    message.open = static_cast<char>(message.open | 1 << i);
    sent[count++] = kOutputs[i];
  }
  if (count == 0) {
    message.header.msg_control = nullptr;
    message.header.msg_controllen = 0;
  } else {
    message.header.msg_controllen = CMSG_SPACE(count * sizeof(int));
    cmsghdr* const rights = CMSG_FIRSTHDR(&message.header);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(count * sizeof(int));
    std::memcpy(CMSG_DATA(rights), sent, count * sizeof(int));
  }
  sendmsg(socket, &message.header, MSG_NOSIGNAL);
}

void take_outputs(int socket) {
  Message message;
  if (recvmsg(socket, &message.header, MSG_CMSG_CLOEXEC) <= 0) return;
  const cmsghdr* const rights = CMSG_FIRSTHDR(&message.header);
  int received[std::size(kOutputs)];
  const size_t count = static_cast<size_t>(__builtin_popcount(static_cast<unsigned char>(message.open)));
  if (count > std::size(received)) return;
  if (count != 0) {
    if (rights == nullptr || rights->cmsg_type != SCM_RIGHTS || rights->cmsg_len != CMSG_LEN(count * sizeof(int))) return;
    std::memcpy(received, CMSG_DATA(rights), count * sizeof(int));
  }
  const int* next = received;
  for (size_t i = 0; i < std::size(kOutputs); ++i) {
    if ((message.open >> i & 1) == 0) {
      close(kOutputs[i]);
    } else if (*next != kOutputs[i]) {  // if that one was closed, the passed descriptor may have got its number
      dup2(*next, kOutputs[i]);
      close(*next++);
    } else {
      fcntl(*next++, F_SETFD, 0);
    }
  }
}

}  // namespace heddle::driver
