#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Manual pages pass mandoc's lint, and there is one for each tool and one for the formats.
# shellcheck source=tests/lint/lib.sh
. "$(dirname "$0")/lib.sh"
need mandoc mandoc

for page in spare-plan.1 benchrun.1 mpisel.1 cosched_exec.1 launchwise-formats.7; do
    [ -f "man/$page" ] || complain "man/$page is missing"
done
find man -type f | sort | while read -r page; do
    mandoc -Tlint -Wwarning "$page"
done >"$TMP/log" 2>&1
while read -r line; do complain "$line"; done <"$TMP/log"
finish 'the manual pages pass mandoc -Tlint'
