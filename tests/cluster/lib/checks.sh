# shellcheck shell=bash disable=SC2015
# SPDX-License-Identifier: BSD-3-Clause
# Checks for scripts that use a cluster: each is one sentence that claims a behaviour.

CLUSTER=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/../cluster
PASSED=0 FAILED=0
STARTED=${EPOCHREALTIME/[.,]/}

cl() { "$CLUSTER" "$@"; }

seconds_since() { printf '%d.%d' $((($2 - $1) / 1000000)) $((($2 - $1) / 100000 % 10)); }

# check SENTENCE COMMAND... : holds when COMMAND succeeds; what it printed is shown
check() {
    local sentence=$1 out start=${EPOCHREALTIME/[.,]/} verdict
    shift
    if out=$("$@" 2>&1); then
        ((PASSED += 1))
        verdict=ok
    else
        ((FAILED += 1))
        verdict=FAILED
    fi
    printf '%-6s %5ss  %s%s\n' "$verdict" "$(seconds_since "$start" "${EPOCHREALTIME/[.,]/}")" \
        "$sentence" "${out:+: $(tail -n 15 <<<"$out" | tr '\n' '|')}"
}

finish() {
    echo "$PASSED passed, $FAILED failed," \
        "$(seconds_since "$STARTED" "${EPOCHREALTIME/[.,]/}") s"
    ((FAILED == 0 && PASSED > 0))
    exit $?
}

# prints TEXT COMMAND... : succeeds and prints exactly TEXT
prints() {
    local want=$1 got rc
    shift
    got=$("$@"); rc=$?
    [[ $rc == 0 && $got == "$want" ]] || { echo "exit $rc, printed '$got', want '$want'"; return 1; }
}

# refused COMMAND... : fails
refused() { ! "$@" || { echo "succeeded: $*"; return 1; }; }

# ends STATUS COMMAND...
ends() {
    local want=$1 rc
    shift
    "$@"; rc=$?
    [[ $rc == "$want" ]] || { echo "exit $rc, want $want"; return 1; }
}

# eventually SECONDS COMMAND... : true within that time
eventually() {
    local end=$((SECONDS + $1))
    shift
    until "$@" >/dev/null 2>&1; do
        ((SECONDS < end)) || { "$@"; return 1; }
        sleep 0.1
    done
}
