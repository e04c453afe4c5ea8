#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Wake-on-LAN of spare-plan standby apply, byte by byte: two network namespaces joined by a link, the
# tool in one, a listener for broadcasts in the other.
# shellcheck disable=SC2016,SC2317  # awk; lib.sh calls our functions
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
for program in unshare ip python3; do
    command -v $program >/dev/null || skip "needs $program"
done
unshare --net --map-root-user true 2>/dev/null || skip 'this machine lets nobody make a namespace'

cat >"$TMP/listen.py" <<'END'
# Prints, of each packet to port 9, when the kernel got it, its length and its bytes.
import socket, struct, sys
SO_TIMESTAMPNS = 35
receiver = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
receiver.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)
receiver.bind(("", 9))
receiver.settimeout(10)
open(sys.argv[1], "w").close()
for _ in range(6):
    data, notes, _, _ = receiver.recvmsg(2000, 100)
    seconds, nanoseconds = struct.unpack("qq", notes[0][2])
    print("%.6f %d %s" % (seconds % 1e6 + nanoseconds / 1e9, len(data), data.hex()), flush=True)
END
cat >"$TMP/both" <<END
set -e
mkfifo $TMP/up
unshare --net sh -c 'read _ <$TMP/up; ip link set lo up; ip link set wake1 up; ip addr add 10.98.0.2/24 brd + dev wake1
    exec python3 $TMP/listen.py $TMP/listening' >$TMP/heard &
listener=\$!
until [ "\$(readlink /proc/\$listener/ns/net)" != "\$(readlink /proc/self/ns/net)" ]; do :; done
ip link add wake0 type veth peer name wake1 netns \$listener
echo >$TMP/up
ip link set lo up
ip link set wake0 up
ip addr add 10.98.0.1/24 brd + dev wake0
until [ -e $TMP/listening ]; do kill -0 \$listener; sleep 0.01; done
"\$@"
wait \$listener
END
printf 'n1|idle~\nn2|idle~\nn3|idle\n' >"$TMP/nodes"
printf 'n1 02:00:0a:63:00:01 10.98.0.255 # the first\nn2 02-00-0A-63-00-FE 10.98.0.255\n' >"$TMP/macs"
# The other way of apply's is a command, which has to be there.
ok 'two nodes are woken' unshare --net --map-root-user timeout 60 sh "$TMP/both" \
    "$BIN/spare-plan" standby apply --keep 3 --state "$TMP/nodes" --way commands \
    --off 'false {host}' --wake-on-lan "$TMP/macs" --ledger "$TMP/ledger" --yes
stdout_has '^done: send Wake-on-LAN for n\[1-2\], three times$'
sixteen() { for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do printf %s "$1"; done; }
first=ffffffffffff$(sixteen 02000a630001)
second=ffffffffffff$(sixteen 02000a6300fe)
check 'six packets of 102 bytes each' test "$(cut -d' ' -f2 "$TMP/heard" | tr '\n' ' ')" = '102 102 102 102 102 102 '
check 'six bytes ff and sixteen times the address, for both in turn' test \
    "$(cut -d' ' -f3 "$TMP/heard" | tr '\n' ' ')" = "$first $second $first $second $first $second "
check '100 ms apart' awk '{ t[NR] = $1 } END { exit !(t[3] - t[1] >= 0.099 && t[5] - t[3] >= 0.099) }' "$TMP/heard"
INPUT=
echo 'n1 02:00:0a:63:00:01 10.98.0.255' >"$TMP/macs"
rm -f "$TMP/ledger"*
fails_to_send() {
    unshare --net --map-root-user "$BIN/spare-plan" standby apply --keep 3 --state "$TMP/nodes" \
        --way commands --off 'false {host}' --wake-on-lan "$TMP/macs" --ledger "$TMP/ledger" --yes
}
status 1 'a network that is not there, and a node without a line, are told' fails_to_send
stderr_has 'cannot send Wake-on-LAN to 02:00:0a:63:00:01 at 10.98.0.255: Network is unreachable'
stderr_has 'wake-on-lan has no line for n2'
finish
