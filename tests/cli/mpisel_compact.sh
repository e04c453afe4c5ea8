#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# mpisel --compact, with an scontrol that only says what it is to. The real Slurm:
# tests/cluster/launchers.sh.
# shellcheck disable=SC2016,SC2317  # $1 belongs to the inner shell; lib.sh calls our functions
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
mkdir "$TMP/fakes"
cat >"$TMP/fakes/scontrol" <<'END'
#!/bin/sh
[ "$*" = 'show topology' ] || exit 1
[ -z "${FAIL:-}" ] || { echo 'slurm_load_topo error: Unable to contact slurm controller' >&2; exit 1; }
printf '%s' "${TOPOLOGY-SwitchName=a Level=0 LinkSpeed=1 Nodes=n[1,3]
SwitchName=b Level=0 LinkSpeed=1 Nodes=n[2,4]
SwitchName=top Level=1 LinkSpeed=1 Nodes=n[1-4] Switches=a,b
}"
END
chmod +x "$TMP/fakes/scontrol"
PATH=$TMP/fakes:$PATH
# n1 and n2 are faster than n3 and n4 by 0.1 %, with a noise of 5 %; n5 is slow.
awk 'BEGIN { print "host,rank,run,bench,seconds,status"
    for (run = 0; run < 24; run++) for (i = 1; i <= 5; i++)
        printf "n%d,%d,%d,compute,%.6f,ok\n", i, i - 1, run, 1 + (i > 2) / 1000 + (i > 4) + (run * 7 + i * 5) % 24 / 480 }' \
    >"$TMP/even.csv"
select_() { "$BIN/mpisel" "$TMP/even.csv" --format slurm-nodelist "$@"; }

ok 'without it the fastest are taken' select_ -n 2
plain=$(cat "$OUT")
ok 'with it those of one switch' select_ -n 2 --compact --explain
check 'which they are' grep -qxE 'n\[1,3\]|n\[2,4\]' "$OUT"
stderr_has '; 1 switch between them, 3 without --compact$'
stderr_has 'as fast, but at another switch$'
ok 'JSON has the numbers' select_ -n 2 --compact --json
check 'of switches' sh -c 'tr -d " \n" <"$1" | grep -q "\"switches\":{\"compact\":1,\"plain\":3}"' sh "$OUT"
ok 'there is nothing to gain for three of two switches' select_ -n 3 --compact --explain
stderr_has '; 3 switches between them, 3 without --compact$'
ok 'a slow host is not taken for its switch' \
    env TOPOLOGY='SwitchName=a Nodes=n[1,5]' "$BIN/mpisel" "$TMP/even.csv" -n 2 --format plain --compact
check 'n5 is not among them' sh -c '! grep -q n5 "$1"' sh "$OUT"

# --- nothing that is in the way changes the choice
TOPOLOGY='' ok 'no topology' select_ -n 2 --compact
stdout_is "$plain"
stderr_has 'warning: --compact: no switches are known, so the fastest hosts are taken: .*tells no switch'
FAIL=1 ok 'Slurm does not answer' select_ -n 2 --compact
stdout_is "$plain"
stderr_has 'warning: --compact: no switches are known'
TOPOLOGY='SwitchName=a Switches=a' ok 'switches that make no tree' select_ -n 2 --compact
stdout_is "$plain"
stderr_has 'warning: --compact: .*switch a is above itself'
ok 'no Slurm' env PATH=/nowhere "$BIN/mpisel" "$TMP/even.csv" -n 2 --format slurm-nodelist --compact
stdout_is "$plain"
stderr_has 'warning: --compact: .*cannot run scontrol'
finish
