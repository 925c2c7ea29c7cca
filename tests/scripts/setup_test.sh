#!/bin/sh
# SPDX-License-Identifier: MIT
# setup_test.sh SETUP: scripts/setup where packages can and cannot be installed. Nothing is: the
# commands that it calls are stand-ins.
set -eu
setup=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/bin"
command_is() {
  printf '#!/bin/sh\n%s\n' "$2" >"$folder/bin/$1"
  chmod +x "$folder/bin/$1"
}
fail() {
  echo "setup_test: $1, but:" >&2
  cat "$folder/said" >&2
  exit 1
}
run() {
  code=0
  PATH="$folder/bin:$PATH" sh "$setup" >"$folder/said" 2>&1 || code=$?
}
command_is id 'echo 0'

# Everything is there but MPI, and that cannot be had.
command_is dpkg-query 'case "$*" in *mpi*) exit 1 ;; *) echo "install ok installed" ;; esac'
command_is apt-get 'case "$*" in *mpi*) exit 100 ;; esac'
run
[ $code -eq 0 ] || fail "a machine without MPI is set up"
grep -q '^setup: without libopenmpi-dev openmpi-bin, training on many ranks is left out$' \
  "$folder/said" || fail "it says what is left out"

# Nor can it where nobody may install anything.
command_is id 'echo 1000'
command_is sudo 'exit 1'
run
[ $code -eq 0 ] || fail "a machine without MPI is set up by anyone"
grep -q 'is left out$' "$folder/said" || fail "it says what is left out"
command_is id 'echo 0'

# Nothing is there, and all but MPI can be had: in a call of its own.
command_is dpkg-query 'exit 1'
command_is apt-get 'case "$*" in *mpi*) exit 100 ;; esac'
run
[ $code -eq 0 ] || fail "what is needed is installed without MPI"

# What is needed cannot be had.
command_is apt-get 'case "$*" in *cmake*) exit 100 ;; esac'
run
[ $code -eq 1 ] || fail "a package that is needed is missed"
grep -q 'apt-get could not install:.* cmake' "$folder/said" || fail "it says which"

# Where all is there, nothing is done or said.
command_is dpkg-query 'echo "install ok installed"'
command_is apt-get 'echo called; exit 1'
run
{ [ $code -eq 0 ] && [ ! -s "$folder/said" ]; } || fail "a machine that has all is left alone"
