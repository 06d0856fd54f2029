#!/bin/bash
# SPDX-License-Identifier: MIT
#
# browser.sh BUILD WORK TEST - runs viewer/test/TEST.mjs on the recordings and pages that the build has made (pages.sh),
# copied to WORK. Needs what tools/setup.sh test brings. TAP.
set -u

build=$(realpath "$1")
work=$2
test=$3
root=$(cd "$(dirname "$0")/../.." && pwd)

give_up() {
	echo "not ok 1 - pages to look at"
	echo "# ${*//$'\n'/$'\n'# }"
	echo 1..1
	exit 1
}

for tool in node npm; do
	if ! command -v $tool > /dev/null; then
		echo "1..0 # SKIP $tool is missing"
		exit 0
	fi
done
if ! why=$("$root/tools/build-page.sh" --packages 2>&1); then
	echo "1..0 # SKIP ${why//$'\n'/; }"
	exit 0
fi
[ ! -s "$build/tests/page/pages.txt" ] || give_up "$(cat "$build/tests/page/pages.txt")"
rm -rf "$work"
cp -r "$build/tests/page/pages" "$work" || give_up "no pages"
work=$(realpath "$work")
cd "$work" || exit 1
WN_CHOICE=$("$root/tools/choice.sh")
export WN_CHOICE
exec node "$root/viewer/test/$test.mjs" "$build/winnow" "$work"
