# heddle_add_fuzz_target(name source... [ASAN] [ENGINE libfuzzer|afl|standalone] [NO_AFL] [LIBRARIES library...])
#
# Adds an executable `name`: the sources with a harness, compiled so that heddle controls their threads, and linked with the runtime, the
# mutators and the fuzzing engine. Without a harness, the program's own main() is fuzzed (docs/how-to/whole-programs.md). LIBRARIES are
# linked unchanged. If heddle should see a library's threads and accesses, the library must be compiled with heddle_instrument(library
# [ASAN]).
#
# The default ENGINE is libFuzzer. If AFL++ is installed, there is a second executable for it. Its name is `name` with _afl instead of _fuzz
# at its end, or with _afl appended. NO_AFL, or HEDDLE_AFL_TARGETS off, omits it. It has the include directories, definitions and options of
# `name`.
#
# heddle_instrument(target [ASAN])
#
# Compiles a library of the project so that it can be part of a fuzz target. Everything else that uses the library must then be a fuzz
# target, too.

option(HEDDLE_INLINE_CHECKS "With clang 19, code checks for itself whether heddle must know of an access (docs/reference/compilers.md)" OFF)
option(HEDDLE_AFL_TARGETS "heddle_add_fuzz_target also makes a target for AFL++ if AFL++ is installed" ON)
find_path(HEDDLE_AFL_DIR libAFLDriver.a HINTS ENV AFL_PATH PATHS /usr/lib/afl /usr/local/lib/afl NO_DEFAULT_PATH
  DOC "Directory of AFL++'s libAFLDriver.a and afl-compiler-rt.o")
mark_as_advanced(HEDDLE_AFL_DIR)

# With gcc, gcc compiles the sources, and clang links the target, through heddle-g++.

# The flags of heddle-clang++ and heddle-g++. Keep them equal (tests/install checks this).
set(HEDDLE_COMPILE_FLAGS
  -g -fno-omit-frame-pointer -fno-common "SHELL:-Xclang -fsanitize=thread"
  # Equal calls in two branches are not merged: each has its own line, and is a separate position.
  "SHELL:-mllvm -simplifycfg-sink-common=false" "SHELL:-mllvm -simplifycfg-hoist-common=false" "SHELL:-mllvm -enable-tail-merge=false"
  # The many counters keep this pass busy for minutes, and the code is not slower without it.
  "SHELL:-mllvm -disable-lsr"
  "SHELL:-mllvm -tsan-instrument-read-before-write=1")
set(HEDDLE_GCC_COMPILE_FLAGS
  -g -fno-omit-frame-pointer -fno-common -fno-crossjumping -fno-tree-tail-merge -fno-code-hoisting -fno-ipa-reference
  -fsanitize=thread -fsanitize-coverage=trace-pc,trace-cmp -Wno-tsan "SHELL:-include heddle/detail/memory_calls.h")

# Link flags. The wrappers get the same lists. First the callbacks for comparisons: the mutator puts the compared values into data bytes.
set(HEDDLE_WRAP_COMPARISONS)
foreach(_heddle_name cmp1 cmp2 cmp4 cmp8 const_cmp1 const_cmp2 const_cmp4 const_cmp8 switch)
  list(APPEND HEDDLE_WRAP_COMPARISONS -Wl,--wrap=__sanitizer_cov_trace_${_heddle_name})
endforeach()
# ASan's runtime comes first on the link line, and would otherwise define these names.
set(HEDDLE_FIRST_COMPARISONS)
foreach(_heddle_name memcmp bcmp strcmp strncmp strcasecmp strncasecmp strstr strcasestr memmem)
  list(APPEND HEDDLE_FIRST_COMPARISONS -Wl,--defsym=${_heddle_name}=heddle_first_${_heddle_name})
endforeach()
# Functions that heddle puts in front of the program's. -u,main: the linker searches main() in static libraries, too, although crt1.o now
# refers to heddle's. The last ones are called by the program's libraries.
set(HEDDLE_WRAP_PROGRAM -Wl,--wrap=main -Wl,-u,main)
foreach(_heddle_name TestOneInput CustomMutator CustomCrossOver Initialize)
  list(APPEND HEDDLE_WRAP_PROGRAM -Wl,--wrap=LLVMFuzzer${_heddle_name})
endforeach()
# libc++'s operations on shared_ptr counts that are not in its headers (intercept/threads/libcxx_shared_ptr.cc).
foreach(_heddle_name 14__release_weakEv 4lockEv)
  list(APPEND HEDDLE_WRAP_PROGRAM -Wl,--wrap=_ZNSt3__119__shared_weak_count${_heddle_name})
endforeach()
# Throws (intercept/process/throw.cc).
list(APPEND HEDDLE_WRAP_PROGRAM -Wl,--wrap=__cxa_throw)
# libFuzzer calls these to show where a time-out was, to look for leaks after an execution, and to name functions.
foreach(_heddle_name sanitizer_print_stack_trace lsan_do_recoverable_leak_check sanitizer_symbolize_pc)
  list(APPEND HEDDLE_WRAP_PROGRAM -Wl,--wrap=__${_heddle_name})
endforeach()
foreach(_heddle_name __tsan_ heddle_assembly_ heddle_gate heddle_thread heddle_comparisons __wrap___sanitizer_cov_ __sanitizer_cov_ __sancov_)
  list(APPEND HEDDLE_WRAP_PROGRAM "-Wl,--export-dynamic-symbol=${_heddle_name}*")
endforeach()

# libFuzzer without the main() in its archive, because the program may have its own. Works with both layouts of the runtime libraries.
# The compiler is asked once, not for every target: a project with a thousand targets would wait a minute.
function(_heddle_libfuzzer_archive out)
  get_property(archive GLOBAL PROPERTY "HEDDLE_LIBFUZZER_OF ${CMAKE_CXX_COMPILER}")
  if(NOT archive)
    execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-libgcc-file-name --rtlib=compiler-rt
      OUTPUT_VARIABLE runtime OUTPUT_STRIP_TRAILING_WHITESPACE)
    string(REPLACE builtins fuzzer_no_main archive "${runtime}")
    set_property(GLOBAL PROPERTY "HEDDLE_LIBFUZZER_OF ${CMAKE_CXX_COMPILER}" "${archive}")
  endif()
  set(${out} "${archive}" PARENT_SCOPE)
endfunction()

# libFuzzer of heddle's own compiler, of which heddle_libfuzzer.o is made (harness/link). The installed package knows it. Empty: there is none.
if(NOT DEFINED HEDDLE_LIBFUZZER_ARCHIVE)
  _heddle_libfuzzer_archive(HEDDLE_LIBFUZZER_ARCHIVE)
  if(NOT EXISTS "${HEDDLE_LIBFUZZER_ARCHIVE}")
    set(HEDDLE_LIBFUZZER_ARCHIVE "")
  endif()
endif()

# Functions are visible in the whole project, but variables only in a directory and those below it. find_package or add_subdirectory in any
# directory must work for all.
set(_heddle_settings OBJECT_DIR LIBFUZZER_ARCHIVE WRAPPER_DIR INCLUDE_DIR COMPILE_FLAGS GCC_COMPILE_FLAGS WRAP_COMPARISONS FIRST_COMPARISONS WRAP_PROGRAM)
foreach(_heddle_name IN LISTS _heddle_settings)
  set_property(GLOBAL PROPERTY HEDDLE_${_heddle_name} "${HEDDLE_${_heddle_name}}")
endforeach()
set_property(GLOBAL PROPERTY HEDDLE_SETTINGS "${_heddle_settings}")
macro(_heddle_get_settings)
  get_property(_heddle_settings GLOBAL PROPERTY HEDDLE_SETTINGS)
  foreach(_heddle_name IN LISTS _heddle_settings)
    get_property(HEDDLE_${_heddle_name} GLOBAL PROPERTY HEDDLE_${_heddle_name})
  endforeach()
endmacro()

function(_heddle_check_compiler)
  if(NOT CMAKE_CXX_COMPILER_ID)
    message(FATAL_ERROR "heddle: the C++ compiler links all fuzz targets, also those in C. Enable both languages: project(... C CXX)")
  endif()
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "^(Clang|GNU)$")
    message(FATAL_ERROR "heddle: fuzz targets need clang (preferably 19) or gcc; this is ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}. "
      "Configure with -DCMAKE_CXX_COMPILER=clang++-19 -DCMAKE_C_COMPILER=clang-19")
  endif()
endfunction()

# Whether this clang has the option that makes `x++` also a read. Older ones refuse it.
include(CheckCXXSourceCompiles)
function(_heddle_compile_flags out)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    set(${out} ${HEDDLE_GCC_COMPILE_FLAGS} PARENT_SCOPE)
    return()
  endif()
  set(CMAKE_REQUIRED_FLAGS "-mllvm -tsan-instrument-read-before-write=1")
  set(CMAKE_REQUIRED_QUIET TRUE)
  set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
  check_cxx_source_compiles("int x;" HEDDLE_HAS_READ_BEFORE_WRITE)
  set(flags ${HEDDLE_COMPILE_FLAGS})
  if(CMAKE_CXX_COMPILER_VERSION VERSION_LESS 21)
    # clang's pass skips a field of a local variable if that field's own address does not escape, even if the variable's does.
    list(APPEND flags "SHELL:-mllvm -capture-tracking-max-uses-to-explore=0")
  endif()
  if(CMAKE_CXX_COMPILER_VERSION VERSION_LESS 16)
    list(APPEND flags "SHELL:-include heddle/detail/memory_calls.h")  # clang does not announce memcpy
  endif()
  if(NOT HEDDLE_HAS_READ_BEFORE_WRITE)
    list(FILTER flags EXCLUDE REGEX read-before-write)
  endif()
  string(REGEX MATCH "^[0-9]+" version "${CMAKE_CXX_COMPILER_VERSION}")
  # The check of an access is inline (harness/gate). Another clang of that version may not be able to load the plugin.
  set(gate ${HEDDLE_OBJECT_DIR}/heddle_gate-${version}.so)
  if(HEDDLE_INLINE_CHECKS AND EXISTS ${gate} AND NOT TARGET heddle_gate_${version})
    set(CMAKE_REQUIRED_FLAGS "-O1 -Xclang -fsanitize=thread -fpass-plugin=${gate}")
    check_cxx_source_compiles("int f(int *x) { return *x; }" HEDDLE_HAS_INLINE_CHECKS)
  endif()
  if(HEDDLE_INLINE_CHECKS AND (TARGET heddle_gate_${version} OR HEDDLE_HAS_INLINE_CHECKS))
    list(APPEND flags "-fpass-plugin=${gate}")
  endif()
  set(${out} ${flags} PARENT_SCOPE)
endfunction()

# As an object whose inline functions are its own (own_engine.sh). Without the tools for that, the archive as it is.
function(_heddle_libfuzzer out)
  _heddle_get_settings()
  _heddle_libfuzzer_archive(archive)
  get_property(object GLOBAL PROPERTY "HEDDLE_OBJECT_OF ${archive}")
  if(NOT object)
    set(object ${HEDDLE_OBJECT_DIR}/heddle_libfuzzer.o)
    if(NOT archive STREQUAL HEDDLE_LIBFUZZER_ARCHIVE)
      string(SHA256 hash "${archive}")
      string(SUBSTRING ${hash} 0 8 hash)
      set(object ${CMAKE_BINARY_DIR}/heddle_libfuzzer_${hash}.o)
      execute_process(COMMAND ${HEDDLE_OBJECT_DIR}/own_engine.sh ${archive} ${object} RESULT_VARIABLE result OUTPUT_QUIET ERROR_QUIET)
      if(NOT result EQUAL 0)
        set(object "-Wl,--whole-archive,${archive},--no-whole-archive")
      endif()
    endif()
    set_property(GLOBAL PROPERTY "HEDDLE_OBJECT_OF ${archive}" "${object}")
  endif()
  set(${out} "${object}" PARENT_SCOPE)
endfunction()

# Whether the target, or anything that it links, uses libc++.
function(_heddle_uses_libcxx out target)
  set(${out} ON PARENT_SCOPE)
  if("${CMAKE_CXX_FLAGS} ${CMAKE_EXE_LINKER_FLAGS}" MATCHES "-stdlib=libc\\+\\+")
    return()
  endif()
  foreach(property LINK_OPTIONS COMPILE_OPTIONS INTERFACE_LINK_OPTIONS INTERFACE_COMPILE_OPTIONS)
    get_target_property(options ${target} ${property})
    if(options MATCHES "-stdlib=libc\\+\\+")
      return()
    endif()
  endforeach()
  foreach(property LINK_LIBRARIES INTERFACE_LINK_LIBRARIES)
    get_target_property(libraries ${target} ${property})
    foreach(library IN LISTS libraries)
      if(TARGET "${library}" AND NOT "${library}" IN_LIST _heddle_asked)
        list(APPEND _heddle_asked "${library}")
        _heddle_uses_libcxx(found "${library}")
        if(found)
          return()
        endif()
      endif()
    endforeach()
  endforeach()
  set(${out} OFF PARENT_SCOPE)
endfunction()

# libFuzzer's archive may be built with libstdc++ and the target with libc++. Then both are linked, the target's first. Called when
# everything about the target is known.
function(_heddle_link_libfuzzers_library target)
  _heddle_uses_libcxx(libcxx ${target})
  if(NOT libcxx)
    return()
  endif()
  _heddle_libfuzzer_archive(archive)
  file(STRINGS "${archive}" built_with_libstdcxx LIMIT_COUNT 1 REGEX __cxx11)
  if(built_with_libstdcxx)
    target_link_libraries(${target} PRIVATE -lc++ -Wl,-lstdc++)
  endif()
endfunction()

function(heddle_instrument target)
  cmake_parse_arguments(arg "ASAN" "" "" ${ARGN})
  _heddle_check_compiler()
  _heddle_get_settings()
  _heddle_compile_flags(flags)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")  # gcc has no address sanitizer together with -fsanitize=thread
    if(arg_ASAN)
      list(APPEND flags -fsanitize=fuzzer-no-link,address)
    else()
      list(APPEND flags -fsanitize=fuzzer-no-link)
    endif()
    # Without no-prune, clang leaves out a comparison that jumps back to the head of its loop, because its block needs no counter. Stack
    # depth has no meaning with fibers.
    list(APPEND flags -fsanitize-coverage=no-prune -fno-sanitize-coverage=stack-depth)
  endif()
  # In a source of a module, nothing may come before `module`. So inline assembly in such a target is not seen.
  list(APPEND flags "$<$<NOT:$<BOOL:$<TARGET_PROPERTY:CXX_MODULE_SETS>>>:SHELL:-include heddle/detail/assembly_atomics.h>")
  target_compile_options(${target} PRIVATE ${flags})
  # Where heddle itself is built, its plugin comes first.
  string(REGEX MATCH "^[0-9]+" version "${CMAKE_CXX_COMPILER_VERSION}")
  if(HEDDLE_INLINE_CHECKS AND TARGET heddle_gate_${version})
    add_dependencies(${target} heddle_gate_${version})
    get_target_property(sources ${target} SOURCES)
    list(FILTER sources EXCLUDE REGEX "^\\$<")
    set_property(SOURCE ${sources} TARGET_DIRECTORY ${target} APPEND PROPERTY OBJECT_DEPENDS ${HEDDLE_OBJECT_DIR}/heddle_gate-${version}.so)
  endif()
  # Headers of heddle come in front of some of the C++ libraries and of the compiler.
  target_include_directories(${target} PRIVATE ${HEDDLE_INCLUDE_DIR} ${HEDDLE_INCLUDE_DIR}/heddle/overlay)
  get_target_property(type ${target} TYPE)
  if(type MATCHES "^(SHARED|MODULE)_LIBRARY$")
    target_link_options(${target} PRIVATE ${HEDDLE_WRAP_COMPARISONS})
  endif()
endfunction()

function(_heddle_add_target name engine asan libraries)
  _heddle_get_settings()
  set(link_engine)
  set(before)
  set(main)
  if(engine STREQUAL "libfuzzer")
    set(link_engine fuzzer-no-link)
    if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")  # heddle-g++ links in that case
      _heddle_libfuzzer(before)
    endif()
  elseif(engine STREQUAL "standalone")
    set(link_engine fuzzer-no-link)
    set(main ${HEDDLE_OBJECT_DIR}/heddle_standalone.o)
  elseif(NOT HEDDLE_AFL_DIR)
    message(FATAL_ERROR "heddle_add_fuzz_target(${name}): no AFL++ (libAFLDriver.a): install afl++, or set HEDDLE_AFL_DIR")
  else()
    set(before ${HEDDLE_AFL_DIR}/afl-compiler-rt.o ${HEDDLE_AFL_DIR}/libAFLDriver.a ${HEDDLE_OBJECT_DIR}/heddle_afl.o)
  endif()
  set(runtime ${HEDDLE_OBJECT_DIR}/heddle_rt.o)
  if(asan)
    list(APPEND link_engine address)
    set(runtime ${HEDDLE_OBJECT_DIR}/heddle_rt_asan.o)
  endif()

  add_executable(${name} ${ARGN})
  heddle_instrument(${name} ${asan})
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX
    LINK_DEPENDS "${runtime};${HEDDLE_OBJECT_DIR}/heddle_begin.o")
  if(TARGET heddle_link_objects)
    add_dependencies(${name} heddle_link_objects)
  endif()
  if(engine STREQUAL "afl" AND TARGET heddle_afl)
    add_dependencies(${name} heddle_afl)  # the mutator, without which afl-fuzz cannot use the target
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    set(launch "${HEDDLE_WRAPPER_DIR}/heddle-g++ --engine=${engine}")
    if(asan)
      string(APPEND launch " --asan")
    endif()
    set_target_properties(${name} PROPERTIES RULE_LAUNCH_LINK "${launch} --heddle-launch")
    target_link_libraries(${name} PRIVATE ${libraries})
    return()
  endif()
  if(link_engine)
    list(JOIN link_engine "," link_engine)
    target_link_options(${name} PRIVATE -fsanitize=${link_engine})
  else()
    # As in the wrapper: no runtime of the sanitizers, unless the project asks for another one's checks.
    string(REGEX REPLACE "-fsanitize=fuzzer(-no-link)?( |$)" " " checks "${CMAKE_CXX_FLAGS} ${CMAKE_EXE_LINKER_FLAGS}")
    if(NOT checks MATCHES "-fsanitize=")
      target_link_options(${name} PRIVATE -fno-sanitize-link-runtime)
    endif()
  endif()
  # Link options come before the objects. So the engine comes first, then the marker of where the program's data begins.
  if(asan)
    target_link_options(${name} PRIVATE ${HEDDLE_FIRST_COMPARISONS})
  endif()
  target_link_options(${name} PRIVATE ${HEDDLE_WRAP_COMPARISONS} ${HEDDLE_WRAP_PROGRAM} ${before} ${HEDDLE_OBJECT_DIR}/heddle_begin.o)
  # At a fixed address: so a program that orders or hashes addresses of its variables does the same in every process.
  target_link_libraries(${name} PRIVATE ${libraries} ${runtime} ${main} m pthread dl -no-pie)
  if(engine STREQUAL "libfuzzer")
    cmake_language(EVAL CODE "cmake_language(DEFER CALL _heddle_link_libfuzzers_library [[${name}]])")
  endif()
endfunction()

# Options that the project has added to the target after the first `count`.
function(_heddle_options_for_twin target twin property count)
  get_target_property(options ${target} ${property})
  list(LENGTH options all)
  if(all GREATER count)
    list(SUBLIST options ${count} -1 options)
    set_property(TARGET ${twin} APPEND PROPERTY ${property} ${options})
  endif()
endfunction()

# CMake's release types switch assert() off, and with it many possible findings. One message, for projects that use heddle.
function(_heddle_say_without_asserts)
  string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
  get_property(said GLOBAL PROPERTY HEDDLE_SAID_WITHOUT_ASSERTS)
  if(said OR PROJECT_NAME STREQUAL "heddle" OR NOT "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${type}}" MATCHES "-DNDEBUG")
    return()
  endif()
  set_property(GLOBAL PROPERTY HEDDLE_SAID_WITHOUT_ASSERTS ON)
  message(NOTICE "heddle: CMAKE_BUILD_TYPE=${CMAKE_BUILD_TYPE} switches assert() off (-DNDEBUG): bugs that only an assertion shows are not found. "
    "To keep assert() on, use Debug or target_compile_options(... -UNDEBUG)")
endfunction()

function(heddle_add_fuzz_target name)
  _heddle_say_without_asserts()
  cmake_parse_arguments(arg "ASAN;NO_AFL" "ENGINE" "LIBRARIES" ${ARGN})
  if(arg_ENGINE AND NOT arg_ENGINE MATCHES "^(libfuzzer|afl|standalone)$")
    message(FATAL_ERROR "heddle_add_fuzz_target(${name}): unknown ENGINE '${arg_ENGINE}': use libfuzzer, afl or standalone")
  endif()
  if(NOT arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "heddle_add_fuzz_target(${name}): no source file given")
  endif()
  set(asan "")
  if(arg_ASAN)
    set(asan ASAN)
  endif()
  if(arg_ENGINE)
    _heddle_add_target(${name} ${arg_ENGINE} "${asan}" "${arg_LIBRARIES}" ${arg_UNPARSED_ARGUMENTS})
    return()
  endif()
  _heddle_add_target(${name} libfuzzer "${asan}" "${arg_LIBRARIES}" ${arg_UNPARSED_ARGUMENTS})
  set(twin ${HEDDLE_AFL_TARGETS})
  if(arg_NO_AFL OR NOT HEDDLE_AFL_DIR)
    set(twin OFF)
  endif()
  if(twin)
    string(REGEX REPLACE "_fuzz$" "" base ${name})
    _heddle_add_target(${base}_afl afl "${asan}" "${arg_LIBRARIES}" ${arg_UNPARSED_ARGUMENTS})
    # What the project sets for `name` later applies to both.
    target_include_directories(${base}_afl PRIVATE $<TARGET_PROPERTY:${name},INCLUDE_DIRECTORIES>)
    target_compile_definitions(${base}_afl PRIVATE $<TARGET_PROPERTY:${name},COMPILE_DEFINITIONS>)
    foreach(property COMPILE_OPTIONS LINK_OPTIONS)
      get_target_property(own ${name} ${property})
      list(LENGTH own count)
      cmake_language(EVAL CODE "cmake_language(DEFER CALL _heddle_options_for_twin [[${name}]] [[${base}_afl]] ${property} ${count})")
    endforeach()
  endif()
endfunction()
