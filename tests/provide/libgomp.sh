#!/bin/bash
# SPDX-License-Identifier: MIT
#
# libgomp.sh BUILD - the constructs of tests/conformance as an OMPT tool sees them on GCC's runtime: no
# rule of the standard is broken (programs/watch.c), and the events are as many as the program says
# (tests/conformance/cell.sh has the words). One program is one line; how many threads it has depends on the choice
# (tests/tap.bash). TAP.
set -u
# shellcheck source-path=SCRIPTDIR source=common.bash
. "$(dirname "$0")/common.bash"

# expect KEY: into the variable wanted the number, in terms of T; nothing when the program does not say
expect() {
	# what the source cannot see, no tool can: static loops without the plug-in
	local limit number saying
	wanted=
	saying 'limit libgomp' 'limit gcc' 'limit gfortran'
	while IFS= read -r limit; do
		[[ ,${limit%%:*}, != *",$1,"* ]] || return
	done <<< "$saying"
	numbered "$1" expect 'expect libgomp' 'expect gcc' 'expect gfortran'
	wanted=$number
}

within() { # VALUE RANGE: N, A..B or A.., in terms of T
	local low=${2%%..*} high=${2##*..}
	(($1 >= low)) && { [ -z "$high" ] || (($1 <= high)); }
}

run() { # T: $program on so many threads
	local T=$1 pair key count wanted loops
	# shellcheck disable=SC2086 # $one is no word where a file has one program
	watched "$program" $one || return
	for pair in explicit_tasks:tasks chunks:chunks sections:sections parallel_regions:regions; do
		key=${pair%:*} count=${seen[${pair#*:}]:-}
		# what the tool counts as one is two in the graph
		expect taskloop_tasks
		loops=$wanted
		expect "$key"
		[ "$key" != explicit_tasks ] || wanted=$wanted${wanted:+${loops:+"+$loops"}}
		[ -z "$wanted" ] || within "$count" "$wanted" || why "T=$T: $count $key, not $wanted"
	done
	for key in complete created; do
		case $name in *cancel*) continue ;; esac
		count=${seen[$key]:-}
		[ "$count" = "${seen[tasks]:-}" ] || why "T=$T: $count $key of ${seen[tasks]:-} tasks"
	done
}

cd "$work" || exit 1
while IFS=: read -r source one; do
	name=${one:-${source##*/}}
	case $name in
	control_*) continue ;; # commands to Winnow
	esac
	read_remarks "$source" "$one"
	saying 'na libgomp' 'na gcc' 'na gfortran'
	[ -z "$saying" ] || continue
	is_compiled conformance "${source##*/}" gcc || continue
	program=$compiled
	saying env
	read -r -a environment <<< "${saying//$'\n'/ }"
	for T in $(runs_of "$name" 'gcc,*' "1 2 4 8" | cut -d ' ' -f 2-); do
		run "$T"
	done
	saying construct
	verdict "${saying%$'\n'}, $name"
done < <(constructs)

# Creations take what is missing, and the tasks that run inside them are not in it.
tool producer.c libproducer.so || why "it is not compiled"
for what in TASK TASKLOOP; do
	for T in 1 2 4; do
		balanced "$(compiled producer producer.c "gcc -D$what")" libgomp
	done
	verdict "$what: creations, own work and tasks run are the producer's time"
done

# The calls of GCC 17's code, on a library that adds them to the installed libgomp: what the tool counts is what the
# recorder finds (../omp/libgomp/run.sh), except for loops that GOMP_loop_start begins.
for source in "$here"/../omp/libgomp/programs/next*.c; do
	for name in $(programs_in "$source"); do
		environment=(OMP_CANCELLATION=true)
		for level in -O0 -O2; do
			program=$(compiled libgomp "${source##*/}" "gcc $level") || continue
			for T in 1 2 4; do
				watched "$program" "$name" || continue
				for pair in masked:masked scopes:scopes chunks:chunks single_executors:single; do
					wanted=$(remarks_of "$source" "$name" | sed -n "s/.*EXPECT: ${pair%:*} //p")
					count=${seen[${pair#*:}]:-}
					[ -z "$wanted" ] || [ "$count" = $((wanted)) ] || why "$level, T=$T: $count ${pair#*:}, not $wanted"
				done
				[ "$name" != next_barrier ] || [ "${seen[explicit_barriers]:-}" = $((11 * T)) ] ||
					why "$level, T=$T: ${seen[explicit_barriers]:-no} explicit barriers"
			done
		done
		verdict "what GCC 17 calls, $name"
	done
done
environment=()

# Static loops that the plug-in has compiled, whose chunks tell themselves.
"$build/winnow" cc --flags gcc > /dev/null 2>&1 || {
	say ok "static loops with the plug-in # SKIP no plug-in for this gcc"
	done_testing
	exit
}
for name in for.c:for_static for.c:for_static_n for.c:for_nowait for.c:for_combined fortran.f90:for_static_f; do
	source=$here/../conformance/programs/${name%:*} one=${name#*:}
	compiler=gcc
	[ "${source##*.}" = c ] || compiler=gfortran
	"$build/winnow" cc -- "$compiler" -g -O1 -fopenmp "-I$here/../conformance" "$source" -o planted 2> compile.log || {
		why "$(head -n 1 compile.log)"
		continue
	}
	environment=()
	for T in $(runs_of "planted $name" 'gcc,*' "1 2 4 8" | cut -d ' ' -f 2-); do
		# shellcheck disable=SC2086
		watched ./planted $one || continue
		read_remarks "$source" "$one"
		wanted=$(said range)
		[ -z "$wanted" ] || [ "0 ${seen[grain_iterations]:-}" = "$wanted" ] ||
			why "T=$T: ${seen[grain_iterations]:-} iterations of $wanted"
		[ "${seen[grain_chunks]:-}" = "${seen[chunks]:-}" ] && [ "${seen[chunks]:-}" -gt 0 ] ||
			why "T=$T: ${seen[grain_chunks]:-} chunks, ${seen[chunks]:-} dispatches"
		[ "${seen[last]:-}" -gt 0 ] || why "T=$T: no chunk is the last"
	done
	verdict "static loops with the plug-in, $name"
done
done_testing
