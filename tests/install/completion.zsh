# completion.zsh DIRECTORY_OF_COMPLETIONS DIRECTORY_OF_COMMANDS LINE: what an interactive zsh lists when Tab is pressed behind LINE.
zmodload zsh/zpty
zpty shell zsh -f -i
until_said() {
  local said
  zpty -r -m shell said "*$1*"
  print -r -- "$said"
}
zpty -w shell "PATH=$2:\$PATH; fpath=($1 \$fpath); autoload -Uz compinit; compinit -D -u; LISTMAX=10000; bindkey '^I' list-choices; bindkey '^X' kill-whole-line; print RE''ADY"
until_said READY > /dev/null
zpty -w -n shell "$3"$'\t\x18'
zpty -w shell "print DO''NE"
until_said DONE
zpty -d shell
