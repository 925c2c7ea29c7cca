#!/bin/sh
# SPDX-License-Identifier: MIT
# completions_test.sh PROGRAM: completions in a real bash, and in zsh and fish where these are there;
# the manual page has every command and flag of the help, and groff has no warnings about it.
set -eu
program=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
touch data.arff model.mugrad
mkdir parts
for shell in bash zsh fish; do "$program" completions $shell >"completions.$shell"; done
"$program" definitions man >mugrad.1
fail() {
  echo "completions_test: $1" >&2
  exit 1
}

# completed WORDS...: what bash offers for the last word.
cat >complete.bash <<'END'
source ./completions.bash
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_mugrad
printf '%s\n' "${COMPREPLY[@]}"
END
completed() { bash --norc complete.bash "$@" | tr '\n' ' '; }
# expect ALL WORDS...: these are all that bash offers.
expect() {
  all=$1
  shift
  found=$(completed "$@")
  [ "$found" = "$all " ] || fail "bash completes '$*' by '$found', not by '$all'"
}
expect "train" mugrad tra
expect "convergence sensitivity" mugrad study ""
expect "--method --methods" mugrad train --meth
expect "--metric" mugrad study sensitivity --metr
expect "llsf llsf-dl" mugrad train --method ll
expect "llsf llsf-dl" mugrad train --method = ll
expect "zscore" mugrad train data.arff --representation z
expect "median mean refuse" mugrad train --impute ""
expect "arff" mugrad convert data.arff --to a
expect "macro-f1,micro-f1 macro-f1,micro-auc" mugrad report --metrics macro-f1,mi
expect "emotions enron" mugrad fetch e
expect "bash zsh fish" mugrad completions ""
expect "data.arff" mugrad train d
expect "model.mugrad" mugrad evaluate mod
expect "data.arff" mugrad train --transfer d
expect "parts" mugrad split data.arff --output p
expect "" mugrad train --rho ""

if command -v zsh >/dev/null 2>&1; then
  zsh -f -n completions.zsh || fail "zsh cannot read its completions"
fi
if command -v fish >/dev/null 2>&1; then
  found=$(fish --no-config -c 'source completions.fish; complete -C "mugrad train --method ll"' |
    cut -f 1 | tr '\n' ' ')
  [ "$found" = "llsf llsf-dl " ] || fail "fish completes a method by '$found'"
fi

# The words that begin the lines of a list in the help of a command.
words_of_help() {
  # shellcheck disable=SC2086  # no word, or one
  "$program" $1 --help | sed -n "/^$2:/,/^\$/s/^  \\([a-z][a-z-]*\\) .*/\\1/p"
}
# has TEXT: the manual page has it, as roff writes it.
has() {
  grep -qF -e "$(printf '%s' "$1" | sed 's/-/\\-/g')" mugrad.1 || fail "the manual page lacks $1"
}
commands=0
for name in $(words_of_help "" Subcommands) "study convergence" "study sensitivity"; do
  commands=$((commands + 1))
  has ".SS mugrad $name"
  sed -n "/^\\.SS mugrad $name\$/,/^\\.SS/p" mugrad.1 >section
  # shellcheck disable=SC2086  # a command may be two words
  for flag in $("$program" $name --help | sed -n 's/^  \(-[^ {]*\).*/\1/p' | tr ',' ' '); do
    grep -qF -e "\\fB$(printf '%s' "$flag" | sed 's/-/\\-/g')\\fR" section ||
      fail "the manual page lacks $flag of $name"
  done
done
[ $commands -gt 15 ] || fail "only $commands commands were found"
if command -v groff >/dev/null 2>&1; then
  groff -man -Tutf8 -ww -z mugrad.1 >warnings 2>&1 || fail "groff cannot read the manual page"
  [ ! -s warnings ] || { cat warnings >&2; fail "groff warns of the manual page"; }
fi
