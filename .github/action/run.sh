#!/usr/bin/env bash
# Runs callfit as the inputs of the action say, and leaves the reports, the step summary and the outputs. What an input says is data: it becomes a word of the command, and no shell ever reads it.
set -euo pipefail

fail() { printf '::error title=callfit::%s\n' "$*"; exit 2; }
output() { printf '%s\n' "$1" >>"$GITHUB_OUTPUT"; }

if [[ -n $INPUT_COMMAND && -n $INPUT_ADAPTER ]]; then
  fail 'the inputs "command" and "adapter" are both given; leave one out'
fi

reports=$(mktemp -d "$RUNNER_TEMP/callfit-reports.XXXXXX")
output "reports=$reports"

words=(run --report=github)
for format in json xml md sarif; do words+=("--report=$reports/callfit.$format"); done
# As one word with its option: what begins with a dash is a value all the same.
option() { if [[ -n $2 ]]; then words+=("$1=$2"); fi; }
option --expect "$INPUT_EXPECTATIONS"
option --profile "$INPUT_PROFILE"
option --timeout "$INPUT_TIMEOUT"
option --jobs "$INPUT_JOBS"
while read -r glob; do option --filter "$glob"; done <<<"$INPUT_FILTER"

if [[ -n $INPUT_ADAPTER ]]; then
  [[ $INPUT_ADAPTER =~ ^[a-z0-9][a-z0-9_-]*$ ]] || fail 'the input "adapter" is no name of an adapter; `callfit adapters` lists them'
  "$CALLFIT" adapters install "$INPUT_ADAPTER"
  words+=("$INPUT_ADAPTER")
elif [[ -n ${INPUT_COMMAND//[[:space:]]/} ]]; then
  # xargs knows quotes and nothing else: it parts the words, and printf only writes them down.
  split=$(mktemp "$RUNNER_TEMP/callfit-words.XXXXXX")
  printf '%s\n' "$INPUT_COMMAND" | xargs printf '%s\0' >"$split" \
    || fail 'the input "command" has a quote that is not closed'
  words+=(--)
  while IFS= read -r -d '' word; do words+=("$word"); done <"$split"
  rm "$split"
fi

status=0
"$CALLFIT" "${words[@]}" || status=$?
output "exit-code=$status"

if [[ -s $reports/callfit.md ]]; then
  cat "$reports/callfit.md" >>"$GITHUB_STEP_SUMMARY"
else
  printf '## callfit\n\nThere is no report: callfit ended with exit code %d before the first case. The log of this step says why.\n' "$status" >>"$GITHUB_STEP_SUMMARY"
fi
exit "$status"
