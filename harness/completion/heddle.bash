# bash completion of heddle and its compiler wrappers. The options come from each command's own help, so they are always current.

# The words of a help text that begin with a dash. For "-o,--output": both.
_heddle_options() {
  tr ',' '\n' | sed -nE 's/^ *(--?[[:alpha:]][[:alnum:]_-]*=?).*/\1/p'
}

_heddle() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]} words
  COMPREPLY=()
  if [ "$COMP_CWORD" = 1 ]; then
    words=$("${COMP_WORDS[0]}" --help 2> /dev/null | sed -nE '/^Subcommands:/,$s/^  ([a-z]+) .*/\1/p; s/^  (-.*)/\1/p' | sed -E 's/^(-[a-z]),(--[a-z-]+).*/\1 \2/; s/^(--[a-z-]+) .*/\1/')
    COMPREPLY=($(compgen -W "$words" -- "$word"))
    return
  fi
  case $before in
    --engine) COMPREPLY=($(compgen -W 'libfuzzer afl' -- "$word")) && return ;;
    --format) COMPREPLY=($(compgen -W 'text markdown json sarif junit' -- "$word")) && return ;;
  esac
  case $word in -*)
    COMPREPLY=($(compgen -W "$("${COMP_WORDS[0]}" "$command" --help 2> /dev/null | _heddle_options)" -- "$word"))
    return ;;
  esac
  compopt -o filenames 2> /dev/null
  COMPREPLY=($(compgen -f -- "$word"))
}

_heddle_compiler() {
  local word=${COMP_WORDS[COMP_CWORD]} wrapper=${COMP_WORDS[0]} words compiler
  COMPREPLY=()
  # Readline treats = as a separate word.
  if [ "$word" = = ] || { [ "$COMP_CWORD" -gt 1 ] && [ "${COMP_WORDS[COMP_CWORD-1]}" = = ]; }; then
    [ "$word" != = ] || word=
    local option=${COMP_WORDS[COMP_CWORD-2]}
    [ "${COMP_WORDS[COMP_CWORD]}" != = ] || option=${COMP_WORDS[COMP_CWORD-1]}
    [ "$option" != --engine ] || COMPREPLY=($(compgen -W 'libfuzzer afl standalone' -- "$word"))
    return
  fi
  case $word in -*)
    words=$("$wrapper" --heddle-help 2> /dev/null | sed -nE 's/^ +(--[a-z-]+(=[a-z]+)?).*/\1/p')
    # Options of the compiler itself.
    compiler=$("$wrapper" --heddle-show -c x.c 2> /dev/null | sed 's/ .*//')
    case $compiler in
      *clang*) words="$words $("$compiler" --autocomplete="$word" 2> /dev/null | cut -f 1)" ;;
      ?*) words="$words $("$compiler" --completion="$word" 2> /dev/null)" ;;
    esac
    COMPREPLY=($(compgen -W "$words" -- "$word"))
    return ;;
  esac
  compopt -o filenames 2> /dev/null
  COMPREPLY=($(compgen -f -- "$word"))
}

complete -F _heddle heddle
complete -F _heddle_compiler heddle-clang heddle-clang++ heddle-gcc heddle-g++
