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

# expected KEY PROGRAM: the number, in terms of T; nothing when the program does not say
expected() {
	# what the source cannot see, no tool can: static loops without the plug-in
	! { said 'limit libgomp' "$2"; said 'limit gcc' "$2"; said 'limit gfortran' "$2"; } | grep -qE "^[^:]*\<$1\>" || return
	{ said expect "$2"; said 'expect libgomp' "$2"; said 'expect gcc' "$2"; said 'expect gfortran' "$2"; } | tr ' ' '\n' |
		sed -n "s/^$1=//p" | tail -n 1
}

within() { # VALUE RANGE: N, A..B or A.., in terms of T
	local low=${2%%..*} high=${2##*..}
	(($1 >= low)) && { [ -z "$high" ] || (($1 <= high)); }
}

run() { # PROGRAM, its source, T
	local T=$3 pair key count wanted
	watched "$1" || return
	for pair in explicit_tasks:tasks chunks:chunks sections:sections parallel_regions:regions; do
		key=${pair%:*} count=$(value "${pair#*:}")
		wanted=$(expected "$key" "$2")
		# what the tool counts as one is two in the graph
		[ "$key" != explicit_tasks ] || wanted=$wanted${wanted:+$(expected taskloop_tasks "$2" | sed 's/^/+/')}
		[ -z "$wanted" ] || within "$count" "$wanted" || why "T=$T: $count $key, not $wanted"
	done
	for pair in complete:tasks created:tasks; do
		case $1 in *cancel*) continue ;; esac
		[ "$(value "${pair%:*}")" = "$(value "${pair#*:}")" ] ||
			why "T=$T: $(value "${pair%:*}") ${pair%:*} of $(value "${pair#*:}") tasks"
	done
}

cd "$work" || exit 1
for source in "$here"/../conformance/programs/*.c "$here"/../conformance/programs/*.f90; do
	name=$(basename "$source")
	case $name in
	control_*) continue ;; # commands to Winnow
	esac
	[ -z "$(said 'na libgomp' "$source")$(said 'na gcc' "$source")$(said 'na gfortran' "$source")" ] || continue
	program=$(compiled conformance "$name" gcc) || continue
	mapfile -t environment < <(said env "$source")
	for T in $(runs_of "$name" 'gcc,*' "1 2 4 8" | cut -d ' ' -f 2-); do
		run "$program" "$source" "$T"
	done
	verdict "$(said construct "$source"), $name"
done

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
for source in "$here"/../omp/libgomp/programs/next_*.c; do
	name=$(basename "$source")
	environment=(OMP_CANCELLATION=true)
	for level in -O0 -O2; do
		program=$(compiled libgomp "$name" "gcc $level") || continue
		for T in 1 2 4; do
			watched "$program" || continue
			for pair in masked:masked scopes:scopes chunks:chunks single_executors:single; do
				wanted=$(sed -n "s/.*EXPECT: ${pair%:*} //p" "$source")
				count=$(value "${pair#*:}")
				[ -z "$wanted" ] || [ "$count" = $((wanted)) ] || why "$level, T=$T: $count ${pair#*:}, not $wanted"
			done
			[ "$name" != next_barrier.c ] || [ "$(value explicit_barriers)" = $((11 * T)) ] ||
				why "$level, T=$T: $(value explicit_barriers) explicit barriers"
		done
	done
	verdict "what GCC 17 calls, $name"
done
environment=()

# Static loops that the plug-in has compiled, whose chunks tell themselves.
"$build/winnow" cc --flags gcc > /dev/null 2>&1 || {
	say ok "static loops with the plug-in # SKIP no plug-in for this gcc"
	done_testing
	exit
}
for name in for_static.c for_static_n.c for_nowait.c for_combined.c for_static.f90; do
	source=$here/../conformance/programs/$name
	compiler=gcc
	[ "${name##*.}" = c ] || compiler=gfortran
	"$build/winnow" cc -- "$compiler" -g -O1 -fopenmp "-I$here/../conformance" "$source" -o planted 2> compile.log || {
		why "$(head -n 1 compile.log)"
		continue
	}
	environment=()
	for T in $(runs_of "planted $name" 'gcc,*' "1 2 4 8" | cut -d ' ' -f 2-); do
		watched ./planted || continue
		wanted=$(said range "$source")
		[ -z "$wanted" ] || [ "0 $(value grain_iterations)" = "$wanted" ] ||
			why "T=$T: $(value grain_iterations) iterations of $wanted"
		[ "$(value grain_chunks)" = "$(value chunks)" ] && [ "$(value chunks)" -gt 0 ] ||
			why "T=$T: $(value grain_chunks) chunks, $(value chunks) dispatches"
		[ "$(value last)" -gt 0 ] || why "T=$T: no chunk is the last"
	done
	verdict "static loops with the plug-in, $name"
done
done_testing
