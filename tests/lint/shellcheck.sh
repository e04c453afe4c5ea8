#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Every shell script, by its name or its first line, passes shellcheck.
# shellcheck source=tests/lint/lib.sh
. "$(dirname "$0")/lib.sh"
need shellcheck shellcheck

find src share tests bench scripts .ci -type f | sort | while read -r file; do
    case ${file##*/} in
    *.sh) echo "$file" ;;
    *.*) ;;
    *) if head -n 1 "$file" | grep -qE '^#!.*[/ ](sh|bash)( |$)'; then echo "$file"; fi ;;
    esac
done >"$TMP/files"
[ -s "$TMP/files" ] || complain 'no script found'
xargs -n 6 -P 2 shellcheck -x -P SCRIPTDIR -P "$SRC" -f gcc <"$TMP/files" >"$TMP/log" 2>&1
while read -r line; do complain "$line"; done <"$TMP/log"
finish "$(wc -l <"$TMP/files") scripts pass shellcheck"
