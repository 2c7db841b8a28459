// What a message on a socket carries beside its bytes: descriptors, and who has sent it.
#pragma once

#include <string.h>
#include <sys/socket.h>

#include <cstddef>

namespace heddle::rt {

// The values of type T that a message carries in its control data.
template <typename T, typename F>
void for_each_carried(msghdr* message, int type, F f) {
  for (cmsghdr* c = message->msg_controllen != 0 ? CMSG_FIRSTHDR(message) : nullptr; c != nullptr; c = CMSG_NXTHDR(message, c)) {
    if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != type) continue;
    const size_t count = (c->cmsg_len - CMSG_LEN(0)) / sizeof(T);
    for (size_t i = 0; i < count; ++i) f(CMSG_DATA(c) + i * sizeof(T));
  }
}

// The numbers of the descriptors.
template <typename F>
void for_each_passed(msghdr* message, F f) {
  for_each_carried<int>(message, SCM_RIGHTS, [&](const unsigned char* at) {
    int descriptor;
    memcpy(&descriptor, at, sizeof descriptor);
    f(descriptor);
  });
}

// Replaces the process number of each sender that the message names. True: there is one.
inline bool rename_senders(msghdr* message, pid_t (*name)(pid_t)) {
  bool any = false;
  for_each_carried<ucred>(message, SCM_CREDENTIALS, [&](unsigned char* at) {
    ucred sender;
    memcpy(&sender, at, sizeof sender);
    sender.pid = name(sender.pid);
    memcpy(at, &sender, sizeof sender);
    any = true;
  });
  return any;
}

}  // namespace heddle::rt
