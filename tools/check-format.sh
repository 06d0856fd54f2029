#!/bin/sh
# SPDX-License-Identifier: MIT
#
# check-format.sh [FILE]... - do the C files of src, include, tests, examples and viewer (or FILE) look as
# clang-format 14 would write them? `clang-format-14 -i FILE` makes them so.
set -eu
cd "$(dirname "$0")/.."

format=
for candidate in clang-format-14 clang-format; do
	if command -v "$candidate" > /dev/null; then
		format=$candidate
		break
	fi
done
if [ -z "$format" ]; then
	echo "check-format.sh: clang-format-14 is missing; tools/setup.sh test" >&2
	exit 1
fi
if [ $# -gt 0 ]; then
	exec "$format" --dry-run -Werror "$@"
fi
git ls-files -z 'src/*.[ch]' 'include/*.h' 'tests/*.[ch]' 'examples/*.c' \
	'viewer/core/*.[ch]' |
	xargs -0 "$format" --dry-run -Werror
