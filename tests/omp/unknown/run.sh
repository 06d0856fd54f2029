#!/bin/bash
# SPDX-License-Identifier: MIT
#
# run.sh BUILD - programs that import an entry point which their runtime has and Winnow does not know (programs/next.c):
# there is no verdict, and record, report, JSON, page and doctor name it. Without one the verdict stays. TAP.
set -u
unset LD_PRELOAD OMP_TOOL OMP_TOOL_LIBRARIES LD_LIBRARY_PATH MALLOC_PERTURB_ OMP_NUM_THREADS
ulimit -c 0

build=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/winnow-unknown.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
# shellcheck source-path=SCRIPTDIR source=../../tap.bash
. "$here/../../tap.bash"

record() { # program, arguments
	rm -f trace trace.* talk
	timeout 60 "$build/winnow" record -o trace "$@" > output 2> talk || echo "status $?: $(cat talk)"
	"$build/winnow" report --json trace > report.json || echo "no report"
	"$build/winnow" report trace > report || echo "no text"
}

field() { # path, wanted
	local got
	got=$(jq -rc "$1" report.json)
	[ "$got" = "$2" ] || echo "$1 is $got, not $2"
}

# No verdict, in every output, with the name of what is unknown.
withheld() { # name
	field '.advice | length' 0
	field '.near | length' 0
	field '.recording.entry_points | map(.name) | join(" ")' "$1"
	jq -r .recording.withheld_because report.json | grep -q "imports $1" || echo "JSON does not give the reason"
	jq -r '.headline[]' report.json | grep -q "^No verdict and no findings: .*$1" || echo "no headline"
	jq -r '.fidelity[] | select(.level == "lost") | .note' report.json | grep -q "$1" || echo "no limitation names it"
	tr '\n' ' ' < report | grep -q "No verdict and no findings: the program imports $1" || echo "the text has a verdict"
	grep -E 'No significant problem|Worst:|Upper bound|speed-up at most|What to change' report
	"$build/winnow" view trace -o page.html > /dev/null 2>&1 || echo "no page"
	grep -q "No verdict and no findings: .*$1" page.html || echo "the page does not say it"
	grep -q 'id="findings-title">No findings: the verdict is withheld<' page.html || echo "the page has a verdict"
	"$build/winnow" report trace --fail-if 'advice > 0' > /dev/null 2> gate
	[ $? -eq 1 ] && grep -q 'cannot be decided' gate || echo "--fail-if decides on findings: $(cat gate)"
	"$build/winnow" diff trace trace > compared 2>&1
	tr '\n' ' ' < compared | grep -q "No verdict: in A, the program imports $1" || echo "diff does not say it"
}

has_verdict() {
	# beside other processes the times may say nothing
	field '.recording.withheld_because | if . and startswith("threads waited for a CPU") then null else . end' null
	field .recording.entry_points '[]'
	# a busy machine may hide the imbalance, and then the report says so
	grep -q '^Disturbed run' report && return
	local rank rule place title
	IFS=$'\t' read -r rank rule place title < <(first_at_a_place report.json |
		jq -r '[.rank, .rule // "none", .place // "-", (.message // "" | sub(":.*"; ""))] | @tsv')
	[ "$rule" = uneven_region ] && is_listed "$rank" "$title" "$place" report ||
		echo "number $rank is $rule at $place: $(head -5 report)"
}

if ! command -v gcc > /dev/null; then
	echo "1..0 # SKIP no gcc"
	exit 0
fi

try() { # compiler, flags, name of the unknown barrier, file of the runtime, its options
	local compiler=$1 flags=$2 name=$3 runtime=$4 options=$5 kind=${1%%-*}
	# shellcheck disable=SC2086
	$compiler -shared -fPIC -O1 $flags -DRUNTIME="\"$runtime\"" "$here/programs/next.c" -o lib$kind-next.so -ldl || return
	# shellcheck disable=SC2086
	build_late() { $compiler -g -O2 -fopenmp $flags "$here/programs/late.c" "$@" $options -Wl,-rpath,"$work"; }

	build_late -o known || return
	result "$kind: a program whose entry points are known has its verdict" "$(record ./known && has_verdict)"

	build_late -DHARMLESS -o harmless lib$kind-next.so || return
	result "$kind: so has one that imports an unknown function which only returns a setting" "$(
		record ./harmless && has_verdict
		"$build/winnow" doctor ./harmless | grep omp_get_next
	)"

	build_late -DNEXT -o next lib$kind-next.so || return
	result "$kind: there is none where an unknown entry point may wait" "$(record ./next && withheld "$name")"
	result "$kind: record names it before the run" "$(record ./next; grep -q "imports $name, unknown" talk || cat talk)"
	result "$kind: doctor names it, and what follows" "$(
		"$build/winnow" doctor ./next > doctor
		grep "warning .*next imports $name, unknown" doctor | grep -q "no verdict" || cat doctor
	)"

	build_late -DNEXT -DLIBRARY -shared -fPIC -o libnext.so lib$kind-next.so || return
	gcc -O1 "$here/programs/host.c" -o host -ldl || return
	result "$kind: nor where a library does that the program opens late" "$(
		record ./host ./libnext.so && withheld "$name"
		field '.recording.entry_points[0].imported_by | split("/")[-1]' libnext.so
	)"
	build_late -DNEXT -DLIBRARY -shared -fPIC -o liblinked.so lib$kind-next.so || return
	gcc -O1 -DLINKED "$here/programs/host.c" ./liblinked.so -Wl,-rpath,"$work" -o linked -ldl || return
	result "$kind: doctor names that of a library, too" "$(
		"$build/winnow" doctor ./linked | grep -q "warning .*liblinked.so imports $name" || "$build/winnow" doctor ./linked
	)"

	build_late -DWEAK -o weak || return
	result "$kind: an import that nothing defines is no entry point" "$(
		record ./weak && has_verdict
		"$build/winnow" doctor ./weak | grep "$name"
	)"
	build_late -DNEXT -DFORKS -o forks lib$kind-next.so || return
	result "$kind: the recording of a forked child names it, too" "$(
		record ./forks
		for trace in trace*; do
			"$build/winnow" report --json "$trace" | jq -r '.recording.entry_points[].name' | grep -qx "$name" ||
				echo "$trace does not"
		done
		[ -e trace.1 ] || [ "$(ls -d trace* | wc -l)" -ge 2 ] || ls
	)"
}

libgomp=$(basename "$(realpath "$(gcc -print-file-name=libgomp.so)")")
try gcc "" GOMP_barrier_next "${libgomp%%.so*}.so.1" ""
for clang in $newest_clang $oldest_clang; do
	libomp=$build/runtimes/$newest_libomp
	if command -v $clang > /dev/null && [ -e "$libomp/libomp.so.5" ]; then
		ln -s "$libomp/libomp.so.5" libomp.so
		try $clang -DLIBOMP __kmpc_barrier_next libomp.so.5 "-L. -Wl,-rpath,$libomp"
		break
	fi
done

# With OMPT in libgomp, too, each construct is recorded once, by the wrappers.
asking() { # definition, source
	gcc -shared -fPIC -O1 -DRUNTIME='"libgomp.so.1"' "$1" -DASKS "$here/programs/next.c" -o asking.so -ldl &&
		record ./host ./asking.so ./known.so || return
	field .program.source "$2"
	field .graph.parallel_regions 1
}
gcc -g -O2 -fopenmp -DLIBRARY -shared -fPIC "$here/programs/late.c" -o known.so
result "gcc: a libgomp that looks for a tool is recorded by its wrappers alone" "$(asking -DEXPORTS libgomp)"
result "gcc: a runtime that only offers OMPT is recorded by that" "$(asking -DNOTHING ompt+libgomp)"

# What a new runtime offers concerns nobody who does not import it.
gcc -shared -fPIC -DRUNTIME='"libgomp.so.1"' -DEXPORTS "$here/programs/next.c" -o libgomp.so.1 -ldl
result "doctor lists unknown entry points that an installed runtime exports" "$(
	LD_LIBRARY_PATH=$work "$build/winnow" doctor > doctor
	grep -q 'unknown to this version: 1 (GOMP_barrier_next)' doctor || cat doctor
)"
done_testing
