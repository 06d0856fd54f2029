#!/bin/sh
# SPDX-License-Identifier: MIT
#
# characterize.sh [OPTION]... - the study of Muddukrishna et al. 2015 on our own ten programs with
# three sizes each: what tells them apart, and which are alike. Writes the measured part of
# doc/characterisation.md, between its two marks, and the figures beside it.
#
#   --build DIR      where winnow was built (default build)
#   --doc FILE       the report (default doc/characterisation.md)
#   --threads N      threads of each program (default 2)
#   --only WORD      only programs whose name has WORD in it
#   --plain          recordings without counts, even if winnow count is there
#   --keep DIR       keep recordings, times and JSON there, and use again what is there
#   --cost           also what counting takes, against winnow record; on a machine that does nothing else
#   --help           this text
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
build=$root/build doc=$root/doc/characterisation.md threads=2 only='' plain=no keep='' with_cost=no
values='build/ doc threads only keep' switches='plain:plain=yes cost:with_cost=yes'
# shellcheck source=bench/tools/options.sh
. "$here/tools/options.sh"
winnow=$build/winnow
if [ ! -x "$winnow" ]; then
	echo "characterize.sh: $build: no winnow there; run make first" >&2
	exit 1
fi
command -v jq > /dev/null || { echo "characterize.sh: jq is missing" >&2; exit 1; }
if [ $plain = no ] && ! "$winnow" help count > /dev/null 2>&1 && [ -z "$keep" ]; then
	echo "characterize.sh: this winnow has no count; recordings have no counts" >&2
	plain=yes
fi

# Program, what is held constant behind the size, three sizes: those of the paper, scaled down so that
# the largest takes about a second, and twenty times that when counted.
studies() {
	cat << END
alignment	120	16 32 48
fft	128	32768 131072 262144
fib	8	22 25 28
floorplan	4	6 7 8
health	40 2	4 5 6
nqueens	3	8 9 10
sort	4096 4096 128	65536 262144 524288
sparselu	32	8 12 16
strassen	64	128 256 512
uts	--work=50	100 300 500
END
}

scratch=$(mktemp -d "${TMPDIR:-/tmp}/winnow-study.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
[ -z "$keep" ] || mkdir -p "$keep"
runs=${keep:-$scratch}
"$root/tools/build-programs.sh" "gcc -fopenmp" "$scratch/bin" > /dev/null 2>&1

# record NAME PROGRAM ARG...: the recording that is characterised; its program must say OK
record() {
	name=$1
	shift
	verb=record
	[ $plain = yes ] || verb=count
	[ ! -s "$runs/$name.winnow" ] || return 0
	"$winnow" $verb -o "$runs/$name.winnow" "$@" > "$scratch/out" 2> "$scratch/err" &&
		grep -q OK "$scratch/out" && return 0
	echo "characterize.sh: $name: left out: $(tail -n 1 "$scratch/err")" >&2
	return 1
}

# wall FILE: seconds of the process
wall() {
	"$winnow" report --json "$1" | jq -r '.program.wall_ns / 1e9'
}

export OMP_NUM_THREADS="$threads"
: > "$scratch/list"
: > "$scratch/middle"
cost=$runs/cost
[ -e "$cost" ] || : > "$cost"
studies | while IFS="$(printf '\t')" read -r program constant sizes; do
	case $program in *"$only"*) ;; *) continue ;; esac
	middle=$(echo "$sizes" | cut -d ' ' -f 2)
	for size in $sizes; do
		name=$program-$size is_middle=no
		[ "$size" != "$middle" ] || is_middle=yes
		[ "$program" != health ] || size="3 $size" # levels, and villages in each
		[ $is_middle = no ] || echo "$program $size $constant" >> "$scratch/middle"
		# sizes and constants are lists of words
		# shellcheck disable=SC2086
		set -- "$scratch/bin/$program" $size $constant
		record "$name" "$@" || continue
		echo "$name=$runs/$name.winnow" >> "$scratch/list"
		if [ $plain = yes ] || [ $with_cost = no ] || grep -q "^$name " "$cost"; then
			continue
		fi
		"$winnow" record -o "$scratch/time.winnow" "$@" > /dev/null 2>&1
		echo "$name $(wall "$runs/$name.winnow") $(wall "$scratch/time.winnow")" >> "$cost"
	done
done

weight=instructions
[ $plain = no ] || weight=work
folder=$(dirname "$doc")/pictures
mkdir -p "$folder"
# names without blanks, one in each line
# shellcheck disable=SC2046
"$winnow" characterize --weight $weight --json --svg "$folder/characterisation" \
	$(cat "$scratch/list") > "$runs/study.json"

# --- the report ---

number='def n: if . == null then "-" elif . >= 1e9 then "\(. / 1e7 | round / 100) G" elif . >= 1e6 then "\(. / 1e4 | round / 100) M" elif . >= 1e3 then "\(. / 10 | round / 100) k" else "\(. * 100 | round / 100)" end;'
write() {
	echo "Measured by \`bench/characterize.sh\` on $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $threads threads, $(gcc --version | head -n 1)."
	if [ $plain = yes ]; then
		echo "**These recordings have no counts**: properties of instructions and memory are missing, and the weight is own user code in ns."
	fi
	printf '\n## The runs\n\n'
	jq -r "$number"'([.properties[].name]) as $p |
		"| run | cluster | " + ($p | join(" | ")) + " | parallelism |",
		"|---|---|" + ($p | map("---:|") | join("")) + "---:|",
		(.cases[] | . as $c | "| \(.name) | \(.cluster // "-") | " + ([$p[] | $c.properties[.] | n] | join(" | ")) + " | \(.parallelism | n) |")' "$runs/study.json"
	printf '\n## Components\n\n'
	jq -r '"| component | variance | cumulative | |", "|---|---:|---:|---|",
		(.components[] | select(.kept) | "| \(.name) | \(.share * 1000 | round / 10) % | \(.cumulative * 1000 | round / 10) % | \(.meaning) |"),
		"", "Left out: \([.properties[] | select(.left_out) | "\(.name) (\(.left_out))"] | if . == [] then "nothing" else join(", ") end).",
		"", "Cross-validation: \(.cross_validation | if . == null then "not done" else "\(.best) components predict hidden values best; mean square error with 0, 1, ...: \(.errors | map(. * 1000 | round / 1000 | tostring) | join(", "))" end). \(.kept) are kept."' "$runs/study.json"
	printf '\n![variance of components](pictures/characterisation-scree.svg)\n![loadings](pictures/characterisation-loadings.svg)\n'
	for plane in "$folder"/characterisation-scores-*.svg; do
		echo "![scores](pictures/$(basename "$plane"))"
	done
	printf '\n## Clusters\n\n'
	jq -r '.clusters[] | "* **\(.cluster)**, \(.meaning): \(.members | join(", "))"' "$runs/study.json"
	printf '\n![dendrogram](pictures/characterisation-dendrogram.svg)\n'
	printf '\n## Findings of the paper, and these programs\n\n'
	jq -r "$number"'
		def program: split("-")[0];
		def loading(p): (.properties[] | select(.name == p) | .loadings // [] | .[0]);
		# the median size of each program, least first
		def ranked(f): [.cases[] | {p: (.name | program), x: f} | select(.x != null)] | group_by(.p)
			| map({p: .[0].p, x: (map(.x) | sort | .[length / 2 | floor])}) | sort_by(.x);
		def listed: if . == [] then "-" else map("\(.p) \(.x | n)") | join(", ") end;
		def among(names; $from; $to): if . == [] then "not measured"
			elif ([.[$from:$to][] | .p] | contains(names)) then "the same here" else "not here" end;
		def by(f): if .instructions == null then null else .instructions / f end;
		loading("tasks") as $t | loading("instructions") as $i |
		"| finding of the paper | here | values for the middle size of each program |", "|---|---|---|",
		# large is what a component is called after
		(0.8 / ([.properties[] | select(.left_out == null)] | length | sqrt)) as $large |
		"| PC1 separates fine grain: tasks against instructions | \(if $t == null or $i == null then "not measured"
			elif $t * $i >= 0 then "not here"
			elif ($t | fabs) >= $large and ($i | fabs) >= $large then "the same here"
			else "in part: opposite signs, but loadings count only from \($large * 100 | round / 100) on" end) | loadings of PC1: tasks \(($t // 0) * 100 | round / 100), instructions \(if $i == null then "-" else ($i * 100 | round / 100) end) |",
		(ranked(.parallelism) | "| Sort has low parallelism (in the lower half) | \(among(["sort"]; 0; 5)) | work by critical path: \(listed) |"),
		(ranked(.properties | by(.memory_reads + .memory_writes)) | "| SparseLU and Strassen are compute intensive (in the upper half): instructions by accesses | \(among(["sparselu", "strassen"]; -5; null)) | \(listed) |"),
		(ranked(.properties | by(.footprint)) | "| the same: instructions by footprint | \(among(["sparselu", "strassen"]; -5; null)) | \(listed) |"),
		([.cases[] | {p: (.name | program), c: .cluster}] | group_by(.p) | map({p: .[0].p, x: (map(.c) | unique | length)}) |
			"| Health, Sort, UTS, Floorplan, FFT do not change with the size; Alignment, NQueens, Fibonacci do, Strassen and SparseLU slightly | see below | number of clusters that contain the sizes of a program: \(listed) |")' "$runs/study.json"
	if [ $plain = no ] && [ -z "$only" ]; then
		printf '\n## Causes of the differences\n\n'
		"$here/characterize-why.sh" --build "$build" --runs "$runs" --study "$runs/study.json" < "$scratch/middle"
	fi
	if [ $with_cost = yes ]; then
		printf '\n## What counting takes\n\n| run | counted, s | recorded, s | times |\n|---|---:|---:|---:|\n'
		awk '{ printf "| %s | %.2f | %.2f | %.1f |\n", $1, $2, $3, $2 / $3 }' "$cost"
	fi
}
write > "$scratch/measured"

if [ ! -e "$doc" ]; then
	echo "characterize.sh: $doc: not there; the measured part goes to standard output" >&2
	cat "$scratch/measured"
	exit 0
fi
awk -v part="$scratch/measured" '
	/^<!-- measured -->/ { print; print ""; while ((getline line < part) > 0) print line; print ""; skip = 1; next }
	/^<!-- end of measured -->/ { skip = 0 }
	!skip' "$doc" > "$scratch/doc"
cat "$scratch/doc" > "$doc"
echo "$doc is written, its figures are $folder/characterisation-*.svg"
