# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# What every CLI test needs. Each case is one sentence that claims a behaviour:
#
#   . "$(dirname "$0")/lib.sh"
#   ok    'prints the two fastest hosts' "$BIN/mpisel" -n 2 "$DATA/four.csv"
#   stdout_is 'n1 slots=2'
#   fails 2 'an unknown option is a wrong command line' "$BIN/mpisel" --nope
#   stderr_has 'nope'
#   finish
#
# $OUT and $ERR hold what the last command wrote; stdin is /dev/null unless INPUT names a file.
set -u
HERE=$(cd "$(dirname "$0")" && pwd)
: "${SRC:=$(cd "$HERE/../.." && pwd)}"
: "${BIN:=$SRC/build/release/bin}"
# shellcheck disable=SC2034
DATA=$SRC/tests/data
TMP=$(mktemp -d "${TMPDIR:-/tmp}/launchwise-cli.XXXXXX") || exit 1
OUT=$TMP/stdout ERR=$TMP/stderr
PASSED=0 FAILED=0 CASE=
# shellcheck disable=SC2317
cleanup() { rm -rf "$TMP"; }
trap cleanup EXIT
trap 'exit 130' INT TERM
# A history of its own: no test reads or writes the user's.
XDG_DATA_HOME=$TMP/data
export XDG_DATA_HOME
# Nor sees the job that it may be run in.
unset LAUNCHWISE_N_NODE
for name in $(env | sed -n 's/^\(SLURM_[A-Z_]*\|PBS_[A-Z_]*\|LSB_[A-Z_]*\|FLUX_[A-Z_]*\|PE_HOSTFILE\)=.*/\1/p'); do
    unset "$name"
done

skip() { echo "SKIP: $*"; exit 77; }
# missing WHAT... : some cases are left out
missing() { echo "not shown, missing: $*"; }

pass_() { PASSED=$((PASSED + 1)); }
fail_() {
    FAILED=$((FAILED + 1))
    echo "FAIL: $CASE: $*"
    sed 's/^/    stdout: /' "$OUT" | head -n 20
    sed 's/^/    stderr: /' "$ERR" | head -n 20
}

# fails STATUS SENTENCE COMMAND... : must end with exactly STATUS and, for 1, 2 and 3 of our own
# tools, print nothing on stdout (unless stdout is the subject: use status).
status() {
    want=$1 CASE=$2
    shift 2
    "$@" <"${INPUT:-/dev/null}" >"$OUT" 2>"$ERR"
    got=$?
    if [ "$got" -eq "$want" ]; then pass_; else fail_ "exit status $got, want $want"; fi
}
ok() { status 0 "$@"; }
fails() {
    status "$@"
    if [ -s "$OUT" ]; then fail_ 'wrote to stdout although it failed'; fi
}
stdout_is() {
    if [ "$(cat "$OUT")" = "$1" ]; then pass_; else fail_ "stdout is not: $1"; fi
}
stdout_has() { if grep -q -e "$1" "$OUT"; then pass_; else fail_ "stdout lacks: $1"; fi; }
stderr_has() { if grep -q -e "$1" "$ERR"; then pass_; else fail_ "stderr lacks: $1"; fi; }
stderr_empty() { if [ -s "$ERR" ]; then fail_ 'stderr is not empty'; else pass_; fi; }
# golden FILE : stdout equals the file in tests/data/golden
golden() {
    if cmp -s "$OUT" "$DATA/golden/$1"; then pass_; else
        fail_ "stdout differs from golden/$1"
        diff "$DATA/golden/$1" "$OUT" | head -n 20
    fi
}
# check SENTENCE COMMAND... : any condition
check() {
    CASE=$1
    shift
    if "$@" >>"$TMP/check.log" 2>&1; then pass_; else fail_ "does not hold: $*"; fi
}
finish() {
    echo "$PASSED passed, $FAILED failed"
    [ "$FAILED" -eq 0 ] && [ "$PASSED" -gt 0 ]
    exit $?
}
