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

# Everything is there but libcurl, and that cannot be had.
command_is dpkg-query 'case "$*" in *curl*) exit 1 ;; *) echo "install ok installed" ;; esac'
command_is apt-get 'case "$*" in *curl*) exit 100 ;; esac'
run
[ $code -eq 0 ] || fail "a machine without libcurl is set up"
grep -q '^setup: without libcurl4-openssl-dev, downloading data sets is left out$' \
  "$folder/said" || fail "it says that downloads are left out"

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

# Another program has apt's locks: that of the lists three times, then that of dpkg twice. Nobody
# sleeps here.
command_is sleep "echo \"\$1\" >>'$folder/slept'"
apt_is_locked_by() {
  command_is apt-get "
    echo \"\$1\" >>'$folder/calls'
    count=\$(grep -c \"^\$1\$\" '$folder/calls')
    case \$1 in
      update) [ \$count -gt $1 ] || lock=/var/lib/apt/lists/lock ;;
      install) [ \$count -gt $2 ] || lock=/var/lib/dpkg/lock-frontend ;;
    esac
    [ -n \"\${lock:-}\" ] || exit 0
    echo \"E: Could not get lock \$lock. It is held by process 7 (apt)\"
    echo 'E: Unable to acquire it, is another process using it?'
    exit 100"
  rm -f "$folder/calls" "$folder/slept"
}
command_is dpkg-query 'case "$*" in *cmake*) exit 1 ;; *) echo "install ok installed" ;; esac'
apt_is_locked_by 3 2
run
[ $code -eq 0 ] || fail "setup waits for apt's locks"
[ "$(wc -l <"$folder/slept")" -eq 5 ] || fail "setup waits as long as they are held, not longer"
[ "$(grep -c waiting "$folder/said")" -eq 2 ] || fail "setup says once of each lock that it waits"
grep -q '^setup: waiting .*/lists/lock. It is held by process 7 (apt)$' "$folder/said" ||
  fail "setup says what it waits for"
grep -q '^setup: waiting .*/dpkg/lock-frontend' "$folder/said" || fail "setup says the second too"

# They are never given back.
apt_is_locked_by 1000000 0
run
[ $code -eq 1 ] || fail "setup does not wait for ever"
grep -q 'apt-get could not install: cmake' "$folder/said" || fail "it says what is missing"
grep -q 'Could not get lock' "$folder/said" || fail "and why"

# Any other failure is one at once.
command_is apt-get 'echo "E: Unable to locate package cmake"; exit 100'
rm -f "$folder/slept"
run
{ [ $code -eq 1 ] && [ ! -e "$folder/slept" ]; } || fail "setup waits for locks alone"

# Where all is there, nothing is done or said.
command_is dpkg-query 'echo "install ok installed"'
command_is apt-get 'echo called; exit 1'
run
{ [ $code -eq 0 ] && [ ! -s "$folder/said" ]; } || fail "a machine that has all is left alone"
