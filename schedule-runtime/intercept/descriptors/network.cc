// Names and addresses of the network, and options of sockets. What comes with the bytes of a transfer is in descriptors/io.cc.
#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "intercept/library_access.h"
#include "intercept/own_number.h"
#include "primitives/tcp_buffers.h"

using namespace heddle::rt;

namespace {

// An address in a buffer of `room` bytes, and its length.
void address_written(const void* to, const socklen_t* size, socklen_t room, const LibraryAccesses& writes) {
  if (to == nullptr || size == nullptr) return;
  writes(to, HEDDLE_BYTES(*size < room ? *size : room));
  writes(size);
}

// Who made the other end of a socket.
void name_peer(void* to) {
  ucred* const peer = static_cast<ucred*>(to);
  peer->pid = number_for_program(peer->pid);
}

bool is_buffer(int level, const void* value, size_t size) { return controlled() && level == SOL_SOCKET && value != nullptr && size >= sizeof(int); }

void tell_buffer(int fd, int option, void* to) {
  const int size = primitives::buffer_asked_for(fd, option);
  if (size != 0) *static_cast<int*>(to) = size;
}

size_t address_size(int family) { return family == AF_INET6 ? sizeof(in6_addr) : sizeof(in_addr); }

}  // namespace

HEDDLE_LIBRARY_NEXT(int, setsockopt, (int fd, int level, int option, const void* value, socklen_t size))
HEDDLE_SHIM int heddle_setsockopt(int fd, int level, int option, const void* value, socklen_t size) asm("setsockopt");
int heddle_setsockopt(int fd, int level, int option, const void* value, socklen_t size) {
  const Place here = HEDDLE_HERE;
  HEDDLE_LIBRARY_ACCESSES(asked_by_program, if (value != nullptr) reads(value, HEDDLE_BYTES(size)))
  if (is_buffer(level, value, size) && primitives::ask_for_buffer(fd, option, *static_cast<const int*>(value))) return 0;
  return next_setsockopt(fd, level, option, value, size);
}

// `size` is the size of the buffer.
#define HEDDLE_SOCKET_VALUE(name, parameters, arguments) HEDDLE_SOCKET_VALUE_THEN(name, parameters, arguments, )
#define HEDDLE_SOCKET_VALUE_THEN(name, parameters, arguments, after)                                    \
  HEDDLE_LIBRARY_NEXT(int, name, parameters)                                                            \
  HEDDLE_SHIM int heddle_##name parameters asm(#name);                                                  \
  int heddle_##name parameters {                                                                        \
    const Place here = HEDDLE_HERE;                                                                     \
    HEDDLE_LIBRARY_ACCESSES(asked_by_program, reads(size))                                              \
    const socklen_t room = size != nullptr ? *size : 0;                                                 \
    const int answer = next_##name arguments;                                                           \
    after;                                                                                              \
    HEDDLE_LIBRARY_ACCESSES(asked_by_program, if (answer == 0) address_written(to, size, room, writes)) \
    return answer;                                                                                      \
  }
HEDDLE_SOCKET_VALUE(getsockname, (int fd, void* to, socklen_t* size), (fd, to, size))
HEDDLE_SOCKET_VALUE(getpeername, (int fd, void* to, socklen_t* size), (fd, to, size))
HEDDLE_SOCKET_VALUE_THEN(getsockopt, (int fd, int level, int option, void* to, socklen_t* size), (fd, level, option, to, size),
                         if (answer == 0 && level == SOL_SOCKET && option == SO_PEERCRED && room >= sizeof(ucred)) name_peer(to);
                         if (answer == 0 && is_buffer(level, to, room)) tell_buffer(fd, option, to))

HEDDLE_LIBRARY_FUNCTION_THEN(int, inet_aton, (const char* text, in_addr* to), (text, to), reads.text(text), if (answer != 0) writes(to))
HEDDLE_LIBRARY_FUNCTION_THEN(int, inet_pton, (int family, const char* text, void* to), (family, text, to), reads.text(text),
                             if (answer == 1) writes(to, HEDDLE_BYTES(address_size(family))))
HEDDLE_LIBRARY_FUNCTION(in_addr_t, inet_addr, (const char* text), (text), reads.text(text))
HEDDLE_LIBRARY_FUNCTION_THEN(const char*, inet_ntop, (int family, const void* address, char* to, socklen_t room), (family, address, to, room),
                             reads(address, HEDDLE_BYTES(address_size(family))), if (answer != nullptr) writes.text(to))

HEDDLE_LIBRARY_FUNCTION_THEN(int, getaddrinfo, (const char* host, const char* service, const addrinfo* wanted, addrinfo** to),
                             (host, service, wanted, to), (reads.text(host), reads.text(service), reads(wanted)), if (answer == 0) writes(to))
HEDDLE_LIBRARY_FUNCTION_THEN(int, getnameinfo,
                             (const void* address, socklen_t size, char* host, socklen_t host_room, char* service, socklen_t service_room, int flags),
                             (address, size, host, host_room, service, service_room, flags), reads(address, HEDDLE_BYTES(size)), 
                             if (answer == 0) (writes.text(host_room != 0 ? host : nullptr), writes.text(service_room != 0 ? service : nullptr)))
// The result is static memory of the C library, which all threads share.
HEDDLE_LIBRARY_FUNCTION_THEN(hostent*, gethostbyname, (const char* host), (host), reads.text(host), writes(answer))
HEDDLE_LIBRARY_FUNCTION_THEN(hostent*, gethostbyname2, (const char* host, int family), (host, family), reads.text(host), writes(answer))
HEDDLE_LIBRARY_FUNCTION_THEN(hostent*, gethostbyaddr, (const void* address, socklen_t size, int family), (address, size, family),
                             reads(address, HEDDLE_BYTES(size)), writes(answer))
HEDDLE_LIBRARY_FUNCTION_THEN(servent*, getservbyname, (const char* name, const char* protocol), (name, protocol), (reads.text(name), reads.text(protocol)),
                             writes(answer))
HEDDLE_LIBRARY_FUNCTION_THEN(servent*, getservbyport, (int port, const char* protocol), (port, protocol), reads.text(protocol), writes(answer))
HEDDLE_LIBRARY_FUNCTION_THEN(protoent*, getprotobyname, (const char* name), (name), reads.text(name), writes(answer))
HEDDLE_LIBRARY_FUNCTION_THEN(protoent*, getprotobynumber, (int number), (number), , writes(answer))
HEDDLE_LIBRARY_FUNCTION_THEN(int, getifaddrs, (ifaddrs** to), (to), , if (answer == 0) writes(to))
HEDDLE_LIBRARY_FUNCTION(unsigned, if_nametoindex, (const char* name), (name), reads.text(name))
HEDDLE_LIBRARY_FUNCTION_THEN(char*, if_indextoname, (unsigned index, char* to), (index, to), , if (answer != nullptr) writes.text(to))
