#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What holds for every tool.
# shellcheck disable=SC2317  # lib.sh calls our functions
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

for tool in spare-plan benchrun mpisel cosched_exec; do
    ok "$tool has help" "$BIN/$tool" --help
    stdout_has "^Usage: $tool"
    ok "$tool has a version" "$BIN/$tool" --version
    stdout_has "^$tool [0-9]"
    stderr_empty
    fails 2 "$tool: an option with an empty value does not take the next word" \
        "$BIN/$tool" --output= "$TMP/precious"
    stderr_has 'empty value'
    closed() { "$BIN/$tool" --help >&-; }
    status 1 "$tool: help on a closed standard output is an error" closed
    stderr_has 'cannot write to standard output'
    if [ -w /dev/full ]; then
        full() { "$BIN/$tool" --help >/dev/full; }
        status 1 "$tool: help that cannot be written is an error" full
        stderr_has 'cannot write to standard output'
    fi
done
check 'no such word became a file' test ! -e "$TMP/precious"
finish
