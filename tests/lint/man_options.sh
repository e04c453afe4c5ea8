#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Every --option in the help of a tool and of its subcommands is described in its manual page, and
# the reverse. Described is what stands in the line after .TP or .TQ.
# shellcheck source=tests/lint/lib.sh
. "$(dirname "$0")/lib.sh"
: "${BIN:=$SRC/build/release/bin}"

# help_of TOOL [SUBCOMMAND...]: the options of that help and of the subcommands that it lists
help_of() {
    "$@" --help >"$TMP/help" 2>"$TMP/err" || {
        complain "$* --help ends with an error: $(head -n 1 "$TMP/err")"
        return
    }
    sed -nE 's/^ +(-[^ ]*).*/\1/p' "$TMP/help" | tr ',' '\n' | grep -E '^--[a-z]' >>"$TMP/in_help"
    subcommands=$(sed -nE '/^Subcommands:/,/^[^ S]/s/^ +([a-z][a-z-]*) .*/\1/p' "$TMP/help")
    for sub in $subcommands; do help_of "$@" "$sub"; done
}

for tool in spare-plan benchrun mpisel cosched_exec; do
    page=man/$tool.1
    if [ ! -x "$BIN/$tool" ]; then complain "$BIN/$tool is not built"; continue; fi
    if [ ! -f "$page" ]; then complain "$page is missing"; continue; fi
    : >"$TMP/in_help"
    help_of "$BIN/$tool"
    sort -u "$TMP/in_help" >"$TMP/help_options"
    [ -s "$TMP/help_options" ] || complain "$tool --help names no option at all"
    awk 'tag { print } { tag = /^\.T[PQ]/ || (tag && /^\.(\\"|PD)/) }' "$page" |
        sed -E 's/\\-/-/g; s/\\f(\[[^]]*\]|\(..|.)//g' | grep -oE -- '--[a-z][a-z0-9-]*' |
        sort -u >"$TMP/page_options"
    for option in $(comm -23 "$TMP/help_options" "$TMP/page_options"); do
        complain "$page: lacks $option of $tool --help"
    done
    for option in $(comm -13 "$TMP/help_options" "$TMP/page_options"); do
        complain "$page: describes $option, which $tool --help does not know"
    done
done
finish 'help and manual pages name the same options'
