#!/bin/bash
# SPDX-License-Identifier: MIT
#
# usage.sh BUILD - the scripts that try real programs refuse what they do not understand. TAP.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
build=$1
empty=$(mktemp -d)
trap 'rm -rf "$empty"' EXIT
number=0
failed=0

refuses() { # WHAT SCRIPT [ARG]...: exit status 2, a word on standard error, nothing on standard output
	local what=$1 said status=0
	shift
	number=$((number + 1))
	said=$("$@" 2>&1 > "$empty/stdout" < /dev/null) || status=$?
	if [ "$status" -eq 2 ] && [ ! -s "$empty/stdout" ] && [[ $said == *usage:* ]]; then
		echo "ok $number - $what"
	else
		echo "not ok $number - $what"
		echo "# exit status $status, said: $said"
		failed=1
	fi
}

try=$root/tools/try-real.sh
refuses "no folder" "$try"
refuses "a folder without winnow" "$try" "$empty"
refuses "a folder that is not there" "$try" "$empty/nowhere"
refuses "no threads" "$try" -t 0 "$build"
refuses "rounds that are no number" "$try" -n many "$build"
refuses "an option without its value" "$try" -k
refuses "an unknown option" "$try" -z "$build"
refuses "an unknown program" "$try" "$build" imagemagic
refuses "found.sh: no folder" "$root/tests/real/found.sh"
refuses "found.sh: a folder without winnow" "$root/tests/real/found.sh" "$empty"
refuses "found.sh: a word too many" "$root/tests/real/found.sh" "$build" more
echo "1..$number"
exit "$failed"
