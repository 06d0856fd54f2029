#!/bin/sh
# SPDX-License-Identifier: MIT
#
# run.sh OUTDIR SECONDS [ENTRY]... - fuzzes each entry that build.sh has put into OUTDIR for so many seconds, as many at a
# time as there are processors, on what OUTDIR has found before and the corpus here. A line for each: how many runs, and
# what was found. Exit status 1 if anything was.
set -eu

if [ $# -lt 2 ]; then
	echo "usage: run.sh OUTDIR SECONDS [ENTRY]..." >&2
	exit 2
fi
out=$(cd "$1" && pwd)
seconds=$2
shift 2
here=$(cd "$(dirname "$0")" && pwd)

options() { # ENTRY
	case $1 in
	blocks) echo "-max_len=8192 -timeout=30 -rss_limit_mb=3000" ;;
	trace) echo "-max_len=140000 -timeout=30" ;;
	import) echo "-max_len=4096" ;;
	expr) echo "-max_len=2100" ;;
	proofs) echo "-max_len=4096" ;;
	table) echo "-max_len=2048" ;;
	request) echo "-max_len=9000" ;;
	grains) echo "-max_len=30000 -timeout=30" ;;
	ranks) echo "-max_len=16384" ;;
	page) echo "-max_len=42000 -timeout=60 -rss_limit_mb=3000" ;;
	*) return 1 ;;
	esac
}

if [ "${WN_FUZZ_ONE:-}" = 1 ]; then
	entry=$1
	seeds=$out/seeds-$entry
	rm -rf "$seeds"
	"$here/corpus.sh" unpack "$entry" "$seeds"
	[ "$entry" != page ] || "$here/corpus.sh" unpack grains "$seeds"
	mkdir -p "$out/corpus-$entry"
	folders="$out/corpus-$entry $seeds"
	found=
	# shellcheck disable=SC2046,SC2086 # lists
	"$out/fuzz_$entry" $(options "$entry") -max_total_time="$seconds" -print_final_stats=1 \
		-artifact_prefix="$out/$entry-" $folders > "$out/$entry.log" 2>&1 || found=yes
	runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$out/$entry.log")
	echo "fuzz_$entry: ${runs:-?} runs${found:+; found something: $out/$entry.log}"
	[ -z "$found" ]
	exit
fi

[ $# -gt 0 ] || set -- blocks page trace import grains table request expr proofs
for entry; do
	options "$entry" > /dev/null || {
		echo "run.sh: $entry is no entry" >&2
		exit 2
	}
done
printf '%s\n' "$@" | WN_FUZZ_ONE=1 xargs -P "$(nproc)" -n 1 "$here/run.sh" "$out" "$seconds" || exit 1
