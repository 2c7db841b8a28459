// Includes all of heddle's channel library.
#ifndef HEDDLE_CSP_H_
#define HEDDLE_CSP_H_

#include <heddle/detail/cpp20.h>

#ifdef HEDDLE_CPP20

#include <heddle/after_func.h>
#include <heddle/chan.h>
#include <heddle/context.h>
#include <heddle/go.h>
#include <heddle/mutex.h>
#include <heddle/once.h>
#include <heddle/panic.h>
#include <heddle/select.h>
#include <heddle/timer.h>
#include <heddle/wait_group.h>

#endif  // HEDDLE_CPP20

#endif  // HEDDLE_CSP_H_
