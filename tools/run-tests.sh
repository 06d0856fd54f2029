#!/bin/bash
# SPDX-License-Identifier: MIT
#
# run-tests.sh BUILD [SUITE]... - runs the tests, shows Meson's summary and what failed, and ends with
# the line "N passed, N failed", which counts checks (lines of TAP). Fails if a check did, or if a test
# program died, timed out, or did not run at all.
#
# Of the products of programs, compilers, runtimes and numbers of threads, tests run a choice (tests/tap.bash), which
# depends on the commit. WN_CHOICE=N repeats one, WN_CHOICE=all runs the whole product. WN_COSTS=FILE adds what each test
# took to FILE (tools/test-cost.py).
set -euo pipefail

if [ $# -lt 1 ]; then
	echo "usage: run-tests.sh BUILD [SUITE]..." >&2
	exit 2
fi
build=$1
shift
suites=()
for suite in "$@"; do
	suites+=(--suite "$suite")
done

WN_CHOICE=$("$(dirname "$0")/choice.sh")
export WN_CHOICE
echo "choice $WN_CHOICE"
# An empty program is one that could not be compiled here before (tests/programs/compile.sh), and pages that could not be
# made have a reason (tests/page/pages.sh).
[ ! -d "$build/tests/programs" ] || find "$build/tests/programs" -type f -empty ! -name '*.d' -delete
[ ! -s "$build/tests/page/pages.txt" ] || rm "$build/tests/page/pages.txt"

wrapper=()
log=$build/meson-logs/testlog.json
if [ -n "${WN_COSTS:-}" ]; then
	wrapper=(--wrapper "$(realpath "$(dirname "$0")/test-cost.py") $(realpath "$WN_COSTS")")
	log=$build/meson-logs/testlog-test-cost.py.json # so Meson names it
fi
rm -f "$log"
status=0
# Tests wait a part of their time, so that half as many more than there are CPUs keep those busy.
cpus=$(nproc)
# The limits of time are for an idle machine; on a busy one all take longer.
meson test -C "$build" --num-processes "${MESON_TESTTHREADS:-$((cpus + (cpus + 1) / 2))}" --print-errorlogs --timeout-multiplier 5 "${wrapper[@]}" "${suites[@]}" || status=$?
if [ ! -s "$log" ]; then
	echo "run-tests.sh: no test has run" >&2
	echo "0 passed, 1 failed"
	exit 1
fi

# A test that failed without a failed check (it died, it ran out of time) counts as one failed check.
# A test that does not speak TAP is one check.
counts=$(jq -rs '
	def lines_of: (.stdout // "") | split("\n");
	map(
		. as $test
		| ([lines_of[] | select(test("^ok\\b"))]) as $good
		| ([lines_of[] | select(test("^not ok\\b"))] | length) as $bad
		| ([$good[] | select(test("# *skip"; "i"))] | length) as $skipped
		| ($test.result | IN("OK", "SKIP", "EXPECTEDFAIL")) as $fine
		| {
			passed: (($good | length) - $skipped
				+ (if $test.result == "OK" and ($good | length) == 0 then 1 else 0 end)),
			skipped: ($skipped + (if $test.result == "SKIP" and $skipped == 0 then 1 else 0 end)),
			failed: (if $fine then 0 elif $bad > 0 then $bad else 1 end)
		}
	)
	| "\(map(.passed) | add) \(map(.skipped) | add) \(map(.failed) | add)"
' "$log")
read -r passed skipped failed <<< "$counts"
# What failed, each with what its test said before (as much as fits in a glance) and after it.
if [ "$failed" -gt 0 ]; then
	jq -r 'select(.result | IN("OK", "SKIP", "EXPECTEDFAIL") | not)
		| "= \(.name): \(.result)", (.stdout // "")' "$log" | awk '
		/^= / { print substr($0, 3); n = 0; after = 0; next }
		/^not ok/ {
			for (i = n > 12 ? n - 12 : 0; i < n; i++)
				print "    " said[i]
			print "    " $0
			n = 0; after = 12; next
		}
		/^#/ { if (after > 0) { print "    " $0; after-- } else said[n++] = $0; next }
		{ n = 0; after = 0 }'
	jq -r 'select(.result | IN("OK", "SKIP", "EXPECTEDFAIL") | not) | .name | sub(".* / "; "")' "$log" |
		sed "s#.*#again: WN_CHOICE=$WN_CHOICE meson test -C $build --timeout-multiplier 5 &#"
fi
echo "$skipped skipped"
echo "$passed passed, $failed failed"
[ "$status" -eq 0 ] && [ "$failed" -eq 0 ]
