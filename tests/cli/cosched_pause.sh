#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Pausing and resuming real programs, by each method, as root and as an unprivileged user.
# shellcheck disable=SC2317  # lib.sh calls our functions
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
for program in mpicc.openmpi mpirun.openmpi; do
    command -v $program >/dev/null || skip "no $program (openmpi-bin, libopenmpi-dev)"
done
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM OMPI_MCA_rmaps_base_oversubscribe
# Ranks that wait give way: on a busy machine spinning ones would take minutes.
OMPI_MCA_mpi_yield_when_idle=1
export OMPI_MCA_mpi_yield_when_idle
chmod 755 "$TMP"
mkdir -m 1777 "$TMP/shared"
cp "$BIN/pause_task" "$TMP"  # where another user can run it
mpicc.openmpi -O2 -o "$TMP/paused_mpi" "$SRC/tests/cli/paused_mpi.c" || exit 1

unprivileged() {
    env HOME="$TMP/shared" TMPDIR="$TMP/shared" \
        setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
}
# paused USER METHOD : 100 pauses of mpirun with two ranks; what pause_task tells is in $ERR.
paused() {
    STOP_FILE=$TMP/shared/stop-$1-$2
    export STOP_FILE
    as=
    [ "$1" = unprivileged ] && as=unprivileged
    set -- "$2" 100 5 2 mpirun.openmpi -np 2 "$TMP/paused_mpi" "$STOP_FILE"
    $as timeout 110 "$TMP/pause_task" "$@"
}
no_process_of() { ! pgrep -f "$1" >/dev/null; }
told() { tail -n 1 "$ERR" | grep -Eq "$1"; }

run() {
    ok "mpirun goes on after 100 pauses ($1, $2)" paused "$1" "$2"
    stdout_has '^right$'
    check "each of them stopped all ranks ($1, $2): $(tail -n 1 "$ERR")" told ' 100 0 '
    check "nothing was given up ($1, $2)" sh -c "! grep -q 'given up' '$ERR'"
    check "nothing is left behind ($1, $2)" no_process_of "$STOP_FILE"
}
run own signal
run own auto
if told 'cgroup v2'; then
    echo 'the freezer of cgroup v2 was tried'
else
    echo 'SKIPPED: no freezer of cgroup v2 for this user'
fi
if [ "$(id -u)" = 0 ]; then
    run unprivileged signal
    run unprivileged auto
else
    echo 'SKIPPED: not root, so only as this user'
fi
finish
