#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# All C and C++ is as clang-format 14 would write it.
# shellcheck source=tests/lint/lib.sh
. "$(dirname "$0")/lib.sh"
need clang-format-14 clang-format-14

our_files '*.c' '*.cpp' '*.h' '*.hpp' >"$TMP/files"
xargs clang-format-14 --dry-run -Werror <"$TMP/files" >"$TMP/log" 2>&1 || {
    sed -nE 's/^([^:]+):[0-9]+:[0-9]+: error:.*/\1/p' "$TMP/log" | sort -u >"$TMP/unformatted"
    [ -s "$TMP/unformatted" ] || complain "clang-format failed: $(head -n 1 "$TMP/log")"
    while read -r file; do complain "$file: run clang-format-14 -i on it"; done <"$TMP/unformatted"
}
finish "$(wc -l <"$TMP/files") files are formatted"
