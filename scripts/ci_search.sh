#!/bin/sh
# Searches with `heddle run` in a CI job, and leaves what the job publishes. .github/actions/search and .gitlab/heddle.yml call it.
#
#   HEDDLE_TARGETS   the fuzz targets, one a line
#   HEDDLE_SEEDS     directory of saved inputs: of all targets, or with a directory for each, named like the target
#   HEDDLE_SECONDS   for each target (300)
#   HEDDLE_KNOWN     file of signatures that are known: they are no findings
#   HEDDLE_MINIMIZE  1: also minimize an input of each finding (1)
#   HEDDLE_OUT       directory of everything that it writes (out)
#
# Each target gets OUT/NAME, with its corpus, findings, logs and pages. OUT/summary.md, OUT/reports has SARIF and JUnit of each
# target. On GitHub the summary and the outputs `exit-code` and `findings` are set, too.
# Exit code: that of heddle run; of several targets 2 or 99 if one could not search, else 1 if one has a finding.
set -u
out=${HEDDLE_OUT:-out}
most_pages=20
fence='```'

fail() {
  echo "ci_search.sh: $*" >&2
  exit 2
}

seeds_of() {
  [ -n "${HEDDLE_SEEDS:-}" ] || return 0
  if [ -d "$HEDDLE_SEEDS/$1" ]; then echo "$HEDDLE_SEEDS/$1"; else echo "$HEDDLE_SEEDS"; fi
}

# A page for each finding; of the minimized inputs, where there are some.
write_pages() {
  mkdir -p "$2/pages"
  pattern='*'
  for input in "$2"/findings/*.min; do
    [ -f "$input" ] && pattern='*.min'
  done
  pages=0
  for input in "$2"/findings/$pattern; do
    if [ ! -f "$input" ] || [ "$pages" -ge "$most_pages" ]; then continue; fi
    pages=$((pages + 1))
    heddle show --html --target "$1" "$input" -o "$2/pages/$(basename "$input").html" > /dev/null || return 0
  done
}

search() {
  target=$1
  name=$(basename "$target")
  directory=$out/$name
  seeds=$(seeds_of "$name")
  set -- "$target" -o "$directory" --seconds "${HEDDLE_SECONDS:-300}" --report "markdown=$out/reports/markdown/$name.md" \
    --report "sarif=$out/reports/sarif/$name.sarif" --report "junit=$out/reports/junit/$name.xml"
  [ -z "$seeds" ] || set -- "$@" -i "$seeds"
  [ -z "${HEDDLE_KNOWN:-}" ] || set -- "$@" --known "$HEDDLE_KNOWN"
  [ "${HEDDLE_MINIMIZE:-1}" != 1 ] || set -- "$@" --minimize
  mkdir -p "$directory"
  echo "heddle run $*"
  heddle run "$@"
  code=$?
  case $code in
    0 | 1)
      write_pages "$target" "$directory"
      heddle stats "$directory" --html > /dev/null
      {
        cat "$out/reports/markdown/$name.md"
        printf '\n%stext\n' "$fence"
        heddle stats "$directory"
        printf '%s\n\n' "$fence"
      } >> "$out/summary.md"
      ;;
    *) printf '# %s could not search\n\nExit code %s of heddle run: see the log of the job.\n\n' "$name" "$code" >> "$out/summary.md" ;;
  esac
  return "$code"
}

[ -n "${HEDDLE_TARGETS:-}" ] || fail "HEDDLE_TARGETS names no fuzz target"
command -v heddle > /dev/null || fail "no heddle in PATH: install it first"
rm -rf "$out/summary.md" "$out/reports"
mkdir -p "$out/reports/markdown" "$out/reports/sarif" "$out/reports/junit" || fail "cannot write into $out"
: > "$out/summary.md"
worst=0
while IFS= read -r target; do
  [ -n "$target" ] || continue
  search "$target" < /dev/null
  code=$?
  [ "$code" -le "$worst" ] || worst=$code
done << END
$HEDDLE_TARGETS
END
findings=$(cat "$out"/reports/sarif/*.sarif 2> /dev/null | grep -c '"ruleId"')
[ -z "${GITHUB_STEP_SUMMARY:-}" ] || cat "$out/summary.md" >> "$GITHUB_STEP_SUMMARY"
[ -z "${GITHUB_OUTPUT:-}" ] || printf 'exit-code=%s\nfindings=%s\n' "$worst" "$findings" >> "$GITHUB_OUTPUT"
exit "$worst"
