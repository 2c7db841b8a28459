// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/descriptor/epoll_first_event.cc"
