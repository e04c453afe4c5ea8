# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# A cluster of files for the tests of spare-plan standby apply: $CLUSTER/nodes/NAME holds the state of
# a node, $BINS has fakes of the commands that tell and change it. Where KILL says "N before" or "N
# after", the Nth command that is run kills whoever ran it, before or after it took effect.
CLUSTER=$TMP/cluster BINS=$TMP/bins
mkdir "$CLUSTER" "$BINS"

# fake NAME : a command, its body from standard input; $1 ... are its arguments
fake() {
    cat >"$BINS/$1" <<END
#!/bin/sh
PATH=/usr/bin:/bin
cd $CLUSTER || exit 1
n=\$(cat calls)
n=\$((n + 1))
echo \$n >calls
echo "$1 \$*" >>log
read -r at when <kill
[ "\$at \$when" != "\$n before" ] || { kill -KILL \$PPID && exit 1; }
$(cat)
[ "\$at \$when" != "\$n after" ] || kill -KILL \$PPID
END
    chmod +x "$BINS/$1"
}

# nodes STATE... : the cluster consists of n1, n2, ... in these states, and no run is to be killed
nodes() {
    rm -rf "$CLUSTER/nodes" "$CLUSTER/log" "$TMP/ledger"*
    mkdir "$CLUSTER/nodes"
    number=0
    for state; do
        number=$((number + 1))
        echo "$state" >"$CLUSTER/nodes/n$number"
    done
    kill_at 0 never
}
kill_at() { echo 0 >"$CLUSTER/calls"; echo "$1 $2" >"$CLUSTER/kill"; }
calls() { cat "$CLUSTER/calls"; }
states() { (cd "$CLUSTER/nodes" && cat -- *) | tr '\n' ' '; }
states_are() { check "then: $1" test "$(states)" = "$1 "; }
log_has() { check "ran: $1" grep -qE -e "^$1\$" "$CLUSTER/log"; }
log_lacks() { check "did not run: $1" sh -c "! grep -qE -e '^$1' '$CLUSTER/log'"; }
