// The headers that most programs include, to be compiled once (here, and by tests/compilers).
#pragma once

#include <heddle/csp.h>
#include <heddle/heddle.h>

#include <atomic>
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>
