#!/bin/bash
# SPDX-License-Identifier: MIT
#
# predict.sh [OPTION]... - how far predictions of `winnow predict` are from measurements (doc/prediction.md).
#
#   --output FILE    write the results there, a line for each pair (default predict.tsv)
#   --build DIR      where winnow was built (default build)
#   --cc LIST        gcc, clang (default both)
#   --programs RE    only pairs whose recorded program matches
#   --kinds RE       only pairs whose kind matches: cutoff, chunk, threads, ...
#   --repeat N       runs of each program (default 5)
#   --recordings N   of these, recorded runs that predictions are made of (default 3)
#   --keep DIR       keep recordings, profiles and measured times there, for --again
#   --again DIR      predict anew, with the build of today, what DIR keeps (of --programs and --cc); nothing is run
#   --summary FILE   only print the summary of FILE
#   --table FILE     only print the table of FILE in Markdown
#   --replays DIR    only replay the recordings below DIR as they are: a line for each on standard error, and the errors
#
# pairs/pairs.txt has pairs of programs before and after a change. The program before it is recorded and the time of the
# one after it is predicted from that recording; only then the latter is measured. Both run in turn, the plain times are
# those that the programs measure themselves; medians count. The runtime is calibrated before each recorded program.
# Beside the prediction: max(work / threads, span); work / threads + the burdened span of Cilkview; a greedy schedule
# without costs. Pairs of more threads than there are CPUs are skipped. Where the system allows it, programs run before
# all other processes (chrt --rr; PRIORITY=N), and a process of the lowest priority keeps each CPU busy between them
# (chrt --idle; AWAKE=no): hypervisors put virtual CPUs that were idle on one core, and then work takes up to twice as
# long on two of them, for some tenths of a second.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
build=$root/build output=predict.tsv compilers=gcc,clang repeat=5 recordings=3 pattern=. kinds=. keep="" again="" summary="" table="" replays=""
while [ $# -gt 0 ]; do
	case $1 in
	--output) output=$2 ;;
	--build) build=$2 ;;
	--cc) compilers=$2 ;;
	--programs) pattern=$2 ;;
	--kinds) kinds=$2 ;;
	--repeat) repeat=$2 ;;
	--recordings) recordings=$2 ;;
	--keep) keep=$2 ;;
	--again) again=$2 ;;
	--summary) summary=$2 ;;
	--table) table=$2 ;;
	--replays) replays=$2 ;;
	*)
		sed -n 's/^# \{0,1\}//; 4,26p' "$0" >&2
		exit 2
		;;
	esac
	shift 2
done
if [ "$summary" ]; then exec awk -f "$here/pairs/summary.awk" "$summary"; fi
if [ "$table" ]; then exec awk -v as_table=1 -f "$here/pairs/summary.awk" "$table"; fi

winnow=$build/winnow

# Self-checks of all recordings below a folder that have tasks or dispatched chunks.
replay_all() {
	local file error
	find -L "$1" -name '*.winnow' -type f | sort | while read -r file; do
		"$winnow" report --json "$file" 2>/dev/null |
			jq -e '.graph.explicit_tasks > 0 or .totals.dispatch_ns > 0' >/dev/null || continue
		error=$("$winnow" predict --json "$file" 2>/dev/null | jq -r '.replay_error // empty') || true
		[ -z "$error" ] || printf '%s\t%.2f\n' "$file" "$(jq -n "100 * $error")"
	done
}
if [ "$replays" ]; then
	replay_all "$replays" | tee /dev/stderr | cut -f 2 | tr -d - | sort -g | awk '{ v[NR] = $1; over += $1 > 10 }
		END { if (NR) printf "%d recordings, median %.1f %%, 95th percentile %.1f %%, %d above 10 %%\n",
			NR, v[int((NR + 1) / 2)], v[int(1 + 0.95 * (NR - 1) + 0.5)], over }'
	exit
fi

if [ "$again$keep" ]; then
	work=${again:-$keep}
	mkdir -p "$work"
	work=$(cd "$work" && pwd)
else
	work=$(mktemp -d)
fi
spinners=""
tidy() {
	# shellcheck disable=SC2086
	[ -z "$spinners" ] || kill $spinners 2>/dev/null || true
	[ "$again$keep" ] || rm -rf "$work"
}
trap tidy EXIT
first=""
if chrt --rr "${PRIORITY:-1}" true 2>/dev/null; then first="chrt --rr ${PRIORITY:-1}"; fi
if [ -z "$again" ] && [ "$first" ] && [ "${AWAKE:-yes}" = yes ]; then
	for cpu in $(taskset -pc $$ | sed 's/.*: //; s/,/ /g' | xargs -n 1 echo | awk -F- '{ for (i = $1; i <= $NF; i++) print i }'); do
		taskset -c "$cpu" chrt --idle 0 sh -c 'while kill -0 "$1" 2>/dev/null; do :; done' sh $$ >/dev/null 2>&1 &
		spinners+=" $!"
	done
fi

median() { sort -g "$@" 2>/dev/null | awk '{ v[NR] = $1 } END { print NR ? v[int((NR + 1) / 2)] : "-" }'; }
trim() { sed 's/^[[:space:]]*//; s/[[:space:]]*$//' <<<"$1"; }

# Nanoseconds that a program measures itself, from what it printed.
own_time() { sed -n 's/.*time \([0-9.]*\) s.*/\1/p; s/^time \([0-9.]*\).*/\1/p' | awk '{ printf "%.0f\n", $1 * 1e9 }'; }

plain() { # threads environment command
	# shellcheck disable=SC2086
	env OMP_NUM_THREADS="$1" $2 $first $3 --time 2>/dev/null | own_time
}

record() { # file threads environment command
	# shellcheck disable=SC2086
	env OMP_NUM_THREADS="$2" $3 $first "$winnow" record -o "$1" -- $4 >/dev/null 2>&1
}

# What a program does before and after its own clock: those of pairs/ nothing.
outside_of() { # program
	[ -f "$here/programs/$1.c" ] || { echo 0; return; }
	jq '.totals.serial_ns // 0' "$folder/report.json"
}

# The options of a change, with the places that the recording has.
options_of() { # changes
	local change place places lesson=$recording-$n.winnow
	for change in $1; do
		case $change in
		learn=*) # another run of the program, with these arguments
			[ "$again" ] || record "$lesson" "$before_threads" "$before_env" "$program $(tr _ ' ' <<<"${change#*=}")" </dev/null
			printf -- '--learn\n%s\n' "$lesson"
			continue
			;;
		@tasks=*) places=$(places_of '.kind == "task" and .grains > 1') ;;
		@loops=*) places=$(places_of '.kind == "chunk"') ;;
		@region=*) places=$(places_of '.kind == "implicit"') ;;
		@second=*) places=$(places_of '.kind == "task"' | sort -t: -k2 -n | tail -1) ;;
		*) places=${change%%=*} ;;
		esac
		for place in $places; do printf -- '--change\n%s=%s\n' "$place" "${change#*=}"; done
	done
}
places_of() { jq -r "[.sites[] | select($1) | .place] | unique | .[]" "$folder/report.json"; }

compile() { # program compiler
	local source=$here/programs/$1.c compiler=gcc-12
	[ -f "$source" ] || source=$here/pairs/$1.c
	[ "$2" = clang ] && compiler=clang-14
	[ -x "$work/$1-$2" ] || $compiler -O2 -g -fopenmp -o "$work/$1-$2" "$source" -lm
}

# What is predicted from one recording: a line of numbers, in nanoseconds.
predict() { # recording outside threads_after options...
	local file=$1 outside=$2 after=$3
	shift 3
	"$winnow" predict "$file" --threads "$after" --json "$@" >"$folder/after.json" 2>"$folder/why" || {
		jq -r '.withheld // empty' "$folder/after.json" >>"$folder/why" 2>/dev/null || true
		return 1
	}
	jq -r -n --slurpfile a "$folder/after.json" --slurpfile b "$folder/before.json" --argjson outside "$outside" '
		$a[0] as $x | $x.predictions[0] as $p |
		[$p.median_ns, $p.low_ns, $p.high_ns, ($p.fast_ns // 0), ($p.slow_ns // 0), $p.greedy_ns, $p.burdened_ns,
			([$p.bound_work_ns, $p.bound_span_ns // 0] | max), $b[0].predictions[0].median_ns] |
		map(if . == 0 or . == null then 0 else . - $outside end) +
			[if $p.unknown then 1 else 0 end, 100 * ($x.replay_error // 0)] | @tsv' |
		awk '{ for (i = 1; i < NF; i++) printf "%.0f\t", $i; print $NF }'
}

# What is predicted from one recording, for each line of the block.
predict_lines() { # recording, without .winnow
	local recording=$1 n=0 outside kind threads after_args env changes
	"$winnow" report --json "$recording.winnow" >"$folder/report.json"
	outside=$(outside_of "$name")
	"$winnow" predict "$recording.winnow" --threads "$before_threads" --json >"$folder/before.json" 2>/dev/null || true
	while IFS=';' read -r kind threads after_args env changes; do
		n=$((n + 1))
		mapfile -t options < <(options_of "$changes")
		predict "$recording.winnow" "$outside" "$(trim "$threads")" "${options[@]}" >>"$folder/predicted$n" ||
			cp "$folder/why" "$folder/why$n"
	done <"$folder/lines"
}

# Records, predicts and measures one block, or predicts again what its folder has: there the program before the change
# is the file "header", "PROGRAM ARGS; THREADS; ENVIRONMENT", and the lines after it are in "lines".
block() { # folder
	local folder=$1 cc=${1##*-} spec name args before_threads before_env i n kind threads after_args env changes
	IFS=';' read -r spec before_threads before_env <<<"$(cat "$folder/header");"
	spec=$(trim "$spec") before_threads=$(trim "$before_threads") before_env=$(trim "${before_env%;}")
	name=${spec%% *} args=${spec#"$name"}
	local program=$work/$name-$cc
	export XDG_CACHE_HOME=$folder/cache
	rm -f "$folder"/predicted* "$folder"/why*
	if [ "$again" ]; then
		for i in $(seq "$recordings"); do
			[ ! -e "$folder/r$i.winnow" ] || predict_lines "$folder/r$i"
		done
	else
		compile "$name" "$cc"
		# now, since the distance of a virtual machine's CPUs can change; on a busy machine it may take more than one try
		for i in 1 2 3 4 5; do
			$first "$winnow" calibrate --rounds 7 --runtime "lib$([ "$cc" = gcc ] && echo g)omp" >/dev/null 2>&1 && break
		done
		for i in $(seq "$repeat"); do
			if [ "$i" -le "$recordings" ]; then
				record "$folder/r$i.winnow" "$before_threads" "$before_env" "$program$args"
				predict_lines "$folder/r$i"
			fi
			plain "$before_threads" "$before_env" "$program$args" >>"$folder/plain0"
			n=0
			while IFS=';' read -r kind threads after_args env changes; do
				n=$((n + 1)) after_args=$(trim "$after_args") env=$(trim "$env")
				plain "$(trim "$threads")" "${env:-$before_env}" "$program ${after_args:-$args}" >>"$folder/plain$n" </dev/null
			done <"$folder/lines"
		done
	fi
	n=0
	while IFS=';' read -r kind threads after_args env changes; do
		n=$((n + 1))
		[[ $changes =~ learn=([^ ]*) ]] && env+=" (learnt from ${BASH_REMATCH[1]//_/ })"
		result "$n" "$cc" "$(trim "$kind")" "$before_threads" "$(trim "$threads")" "$spec${before_env:+ ($before_env)}" \
			"$(trim "$(trim "$after_args") $(trim "$env")")"
	done <"$folder/lines"
}

# Medians by column of what was predicted, beside what was measured.
result() { # number compiler kind threads_before threads_after program after
	local file=$folder/predicted$1 column values="" number=$1
	shift
	if [ ! -s "$file" ]; then
		printf '%s\t%s\t%s\t%s\t%s\t%s\trefused\t%s\n' "$@" "$(tail -1 "$folder/why$number" | sed 's/.*prediction: //')" >>"$output"
		return
	fi
	for column in 1 2 3 4 5 6 7 8 9 10 11; do values+=$'\t'$(cut -f "$column" "$file" | median); done
	values+=$'\t'$(sort -g "$folder/plain0" | paste -sd ' ')$'\t'$(sort -g "$folder/plain$number" | paste -sd ' ')
	printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s%s\n' "$@" "$(median "$folder/plain0")" "$(median "$folder/plain$number")" "$values" >>"$output"
}

# Whether there are as many CPUs as the second field has threads.
fits() {
	local name threads rest
	IFS=';' read -r name threads rest <<<"$1"
	[ "${threads:-1}" -le "$(nproc)" ]
}

# Calls block() for each compiler, with the lines that were collected.
flush_block() {
	local cc folder
	[ "$header" ] && [ "$lines" ] || return 0
	for cc in $(tr , ' ' <<<"$compilers"); do
		command -v "$([ "$cc" = clang ] && echo clang-14 || echo gcc-12)" >/dev/null || continue
		n_blocks=$((n_blocks + 1))
		folder=$work/$(printf %03d "$n_blocks")-$cc
		rm -rf "$folder"
		mkdir "$folder"
		printf '%s\n' "$header" >"$folder/header"
		printf '%s' "$lines" >"$folder/lines"
		block "$folder"
	done
}

printf '# compiler, kind, threads before and after, recorded program, change, measured ns before and after, predicted ns, range, %s\n' \
	'faster and slower outcome of a race, greedy schedule, burdened span, bound, predicted ns before, 1: no single time is known, error of the replay in %, each run before, and after' >"$output"
if [ "$again" ]; then
	for folder in "$work"/[0-9][0-9][0-9]-*; do
		read -r header <"$folder/header"
		[[ ${header%%;*} =~ $pattern ]] && [[ ,$compilers, = *,${folder##*-},* ]] && block "$folder" </dev/null
	done
	awk -f "$here/pairs/summary.awk" "$output"
	exit
fi
n_blocks=0 header="" line="" lines=""
while IFS= read -r line; do
	case $line in
	'#'* | '') ;;
	[[:space:]]*)
		[[ ${line%%;*} =~ $kinds ]] && [ "$header" ] && fits "$line" && lines+=$line$'\n'
		;;
	*)
		flush_block </dev/null
		lines=""
		header=$line
		[[ ${line%%;*} =~ $pattern ]] && fits "$line" || header=""
		;;
	esac
done <"$here/pairs/pairs.txt"
flush_block </dev/null
awk -f "$here/pairs/summary.awk" "$output"
