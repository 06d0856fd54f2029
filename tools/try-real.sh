#!/bin/bash
# SPDX-License-Identifier: MIT
#
# try-real.sh [-t THREADS] [-n ROUNDS] [-k FOLDER] BUILD [NAME]... - runs programs of Debian packages twice
# plainly, then in each round plainly, under `winnow record` and under `winnow run`, and compares what they
# print, what they write and how they end. What `winnow run` prints must be the program's own output and,
# at the end of standard error, byte for byte what `winnow report` prints of one of its traces. One line
# for each program:
#   name, package, exit status, output under record and run (same, differs, or varies: by itself), wall and
#   CPU time recorded over plain (medians), median plain seconds, traces and what is in them, what the
#   report is on, what an independent count of the program's calls says (tests/real/count.c), what
#   `winnow check` says.
# Waiting threads sleep unless OMP_WAIT_POLICY says otherwise, so that a busy machine can tell something.
# Programs that are not installed are named as such. -k keeps traces, outputs and reports in FOLDER.
# Fails if a program behaved differently, or a recording or report is missing or damaged.
set -uo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
export LC_ALL=C OMP_WAIT_POLICY=${OMP_WAIT_POLICY:-passive}
TIMEFORMAT='%R %U %S'

usage() {
	[ $# -eq 0 ] || echo "try-real.sh: $*" >&2
	echo "usage: try-real.sh [-t THREADS] [-n ROUNDS] [-k FOLDER] BUILD [NAME]..." >&2
	exit 2
}

threads=2
rounds=3
keep=
while getopts t:n:k: option; do
	case $option in
	t) threads=$OPTARG ;;
	n) rounds=$OPTARG ;;
	k) keep=$OPTARG ;;
	*) usage ;;
	esac
done
shift $((OPTIND - 1))
[ $# -ge 1 ] || usage
[[ $threads =~ ^[1-9][0-9]*$ ]] || usage "-t $threads: a number of threads is wanted"
[[ $rounds =~ ^[1-9][0-9]*$ ]] || usage "-n $rounds: a number of rounds is wanted"
winnow=$(realpath -m "$1")/winnow
[ -x "$winnow" ] || usage "$1: no winnow there"
shift
# shellcheck source=tests/real/programs.sh
. "$root/tests/real/programs.sh"
for name in "$@"; do
	[[ " ${all[*]} " == *" $name "* ]] || usage "$name: no such program; there are ${all[*]}"
done
for tool in jq gm; do
	type -P "$tool" > /dev/null || { echo "try-real.sh: $tool is missing" >&2; exit 1; }
done
if [ -n "$keep" ]; then
	mkdir -p "$keep"
	scratch=$(realpath "$keep")
else
	scratch=$(mktemp -d)
	trap 'rm -rf "$scratch"' EXIT
fi
export OMP_NUM_THREADS=$threads

# Everything a run left behind, as one text: exit status, output, and a checksum or the filtered text of
# each file.
picture_of() { # RUN
	local run=$1 file
	echo "status $(cat "$run/status")"
	sed -e "$varies" "$run/stdout"
	echo "stderr:"
	sed -e '/^winnow /d' -e "$varies" "$run/stderr"
	(cd "$run/files" && find . -type f | sort) | while read -r file; do
		file=${file#./}
		if [ -n "$ignore" ] && [[ $file == @($ignore) ]]; then
			echo "file $file"
		elif [ -n "$sorted" ] && [[ $file == @($sorted) ]]; then
			echo "file $file $(sort "$run/files/$file" | sha256sum)"
		elif [ -n "$pixels" ] && [[ $file == @($pixels) ]]; then
			echo "file $file $(gm convert "$run/files/$file" ppm:- | sha256sum)"
		elif grep -qI '' "$run/files/$file"; then
			echo "file $file $(sed -e "$varies" "$run/files/$file" | sha256sum)"
		else
			echo "file $file $(sha256sum < "$run/files/$file")"
		fi
	done
}
shopt -s extglob

run_once() { # RUN [WINNOW ARGUMENTS]...: wall, user and system seconds to RUN/times
	local run=$1 status
	shift
	rm -rf "$run"
	mkdir -p "$run"
	cp -r "$scratch/$name/input" "$run/files"
	{
		time (cd "$run/files" && "$@" "${command[@]}" > ../stdout 2> ../stderr < /dev/null)
	} 2> "$run/times"
	status=$?
	echo "$status" > "$run/status"
}

# Takes the report off what `winnow run` has printed, and says of which trace it is.
split_report() { # RUN TRACE...
	local run=$1 trace size left
	shift
	for trace in "$@"; do
		"$winnow" report -- "$trace" > "$run/report" 2> /dev/null
		size=$(stat -c %s "$run/report")
		left=$(($(stat -c %s "$run/stderr") - size))
		if [ "$size" -gt 0 ] && [ "$left" -ge 0 ] && tail -c "$size" "$run/stderr" | cmp -s - "$run/report"; then
			truncate -s "$left" "$run/stderr"
			echo "${trace##*/}"
			return
		fi
	done
	echo none
}

# Do plain runs differ among themselves? Two that agree may do so by chance: where a recorded one does
# not, more are made.
find_variation() { # RUN...
	local run k
	for run in "$@"; do
		cmp -s "$scratch/$name/alone-1.txt" "$run.txt" && continue
		for ((k = 3; k <= 12; k++)); do
			run_once "$scratch/$name/alone-$k"
			picture_of "$scratch/$name/alone-$k" > "$scratch/$name/alone-$k.txt"
			if ! cmp -s "$scratch/$name/alone-1.txt" "$scratch/$name/alone-$k.txt"; then
				varies_itself=yes
				return
			fi
		done
		return
	done
}

# Is this run as the first plain one? Where those differ among themselves only the status can tell.
compare() { # RUN
	if [ "$varies_itself" = yes ]; then
		cmp -s "$scratch/$name/alone-1/status" "$1/status" && echo varies || echo differs
	else
		cmp -s "$scratch/$name/alone-1.txt" "$1.txt" && echo same || echo differs
	fi
}

median() {
	sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'
}

ratio_of() { # wall | cpu: median of recorded over plain
	local k
	for ((k = 1; k <= rounds; k++)); do
		paste -d' ' "$scratch/$name/recorded-$k/times" "$scratch/$name/plain-$k/times"
	done | awk -v what="$1" '{ printf "%.2f\n", what == "wall" ? $1 / $4 : ($2 + $3) / ($5 + $6) }' | median
}

# The numbers of all traces of a run together.
facts_of() { # TRACE...
	local trace
	for trace in "$@"; do
		"$winnow" report --json "$trace" 2> /dev/null
	done | jq -rs 'if length == 0 then "no recording" else
		"\(map(.program.threads) | max) threads",
		"\(map(.graph.parallel_regions) | add) regions",
		"\(map(.graph.chunks) | add) chunks",
		"\(map(.graph.explicit_tasks + .graph.taskloop_tasks) | add) tasks",
		"\(map(.graph.implicit_tasks) | add) implicit",
		"\(map(.recording.events) | add) events",
		"\(map(.recording.bytes) | add) bytes",
		"\(map(.recording.dropped) | add) dropped",
		(map(.recording.state) | unique | join("+")) end' | paste -sd' '
}

try() {
	local package='' command=() needs='' input='' varies='' ignore='' sorted='' pixels='' silent=''
	local k versions packages varies_itself=no recorded='' ran='' reported=''
	"real_$name"
	needs=${needs:-$(type -P "${command[0]}")}
	if [ -z "$needs" ] || [ ! -e "$needs" ]; then
		printf '%s\t%s is not installed\n' "$name" "$package"
		return 0
	fi
	rm -rf "${scratch:?}/$name"
	mkdir -p "$scratch/$name/input"
	if [ -n "$input" ]; then
		(cd "$scratch/$name/input" && "$input")
	fi
	for k in 1 2; do
		run_once "$scratch/$name/alone-$k"
		picture_of "$scratch/$name/alone-$k" > "$scratch/$name/alone-$k.txt"
	done
	cmp -s "$scratch/$name/alone-1.txt" "$scratch/$name/alone-2.txt" || varies_itself=yes
	for ((k = 1; k <= rounds; k++)); do
		run_once "$scratch/$name/plain-$k"
		run_once "$scratch/$name/recorded-$k" "$winnow" record -o "$scratch/$name/$k.winnow" --
		run_once "$scratch/$name/run-$k" "$winnow" run -o "$scratch/$name/run-$k.winnow" --
		reported+=" $(split_report "$scratch/$name/run-$k" "$scratch/$name/run-$k".winnow*)"
		picture_of "$scratch/$name/recorded-$k" > "$scratch/$name/recorded-$k.txt"
		picture_of "$scratch/$name/run-$k" > "$scratch/$name/run-$k.txt"
	done
	[ "$varies_itself" = yes ] || find_variation "$scratch/$name"/recorded-*[0-9] "$scratch/$name"/run-*[0-9]
	for ((k = 1; k <= rounds; k++)); do
		recorded+=" $(compare "$scratch/$name/recorded-$k")"
		ran+=" $(compare "$scratch/$name/run-$k")"
	done
	local counted=-
	if [ -n "$counter" ]; then
		COUNT_FILE=$scratch/$name/counted LD_PRELOAD=$counter run_once "$scratch/$name/counting"
		counted=$(cat "$scratch/$name"/counted.* 2> /dev/null | awk '{ r += $1; c += $2; t += $3; l += $4 }
			END { printf "%d regions %d chunks %d tasks %d taskloops", r, c, t, l }')
	fi
	IFS=, read -ra packages <<< "$package"
	versions=$(dpkg-query -W -f '${Package} ${Version},' "${packages[@]}" 2> /dev/null)
	local traces=("$scratch/$name/1".winnow*) check='nothing to check' facts='no recording' n=0
	if [ -e "${traces[0]}" ]; then
		check=$("$winnow" check "${traces[0]}" 2>&1 | tail -1)
		facts=$(facts_of "${traces[@]}")
		n=${#traces[@]}
	fi
	printf '%s\t%s\tstatus %s\trecord:%s\trun:%s\twall %s\tcpu %s\t%s s\t%d traces\t%s\treport on:%s\tcounted %s\t%s\n' \
		"$name" "${versions%,}" "$(cat "$scratch/$name/recorded-1/status")" "$recorded" "$ran" \
		"$(ratio_of wall)" "$(ratio_of cpu)" \
		"$(awk '{ print $1 }' "$scratch/$name"/plain-*/times | median)" \
		"$n" "$facts" "$reported" "$counted" "$check"
	case $recorded$ran:$check in
	*differs* | *rule* | *broken* | *cannot*) failed=1 ;;
	esac
	# the programs that use no OpenMP leave no trace, and the others one at least
	case $silent:$n:$reported in
	:0:* | :*none* | ?*:[1-9]*) failed=1 ;;
	esac
}

failed=0
counter=$scratch/count.so
cc -std=c17 -O2 -shared -fPIC -o "$counter" "$root/tests/real/count.c" -ldl 2> /dev/null || counter=
[ $# -gt 0 ] || set -- "${all[@]}"
for name in "$@"; do
	try
done
exit "$failed"
