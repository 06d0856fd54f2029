#!/bin/sh
# SPDX-License-Identifier: MIT
#
# characterize-why.sh [OPTION]... < COMMANDS - for characterize.sh: what the findings of the paper
# depend on that are not found in our programs. Prints the part of the report that says so.
# COMMANDS: a line for each program, "PROGRAM ARGUMENT...", of its middle size.
#
#   --build DIR      where winnow was built (default build)
#   --runs DIR       recordings go there, and are used again if they are there (default a scratch folder)
#   --study FILE     JSON of the study
#   --help           this text
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
build=$root/build runs='' study=''
values='build/ runs study' switches=''
# shellcheck source=bench/tools/options.sh
. "$here/tools/options.sh"
winnow=$build/winnow
scratch=$(mktemp -d "${TMPDIR:-/tmp}/winnow-why.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
runs=${runs:-$scratch}
cat > "$scratch/commands"

# counted NAME OPTIONS PROGRAM ARG...: NAME.winnow, of a program that says OK
counted() {
	name=$1 options=$2
	shift 2
	[ ! -s "$runs/$name.winnow" ] || return 0
	# options are words
	# shellcheck disable=SC2086
	"$winnow" count $options -o "$runs/$name.winnow" "$@" > "$scratch/out" 2> "$scratch/err" &&
		grep -q OK "$scratch/out" && return 0
	echo "characterize-why.sh: $name: left out: $(tail -n 1 "$scratch/err")" >&2
	return 1
}

number='def n: if . == null then "-" elif . >= 1e9 then "\(. / 1e7 | round / 100) G" elif . >= 1e6 then "\(. / 1e4 | round / 100) M" elif . >= 1e3 then "\(. / 10 | round / 100) k" else "\(. * 100 | round / 100)" end;'

# --- sort: parallelism over cut-offs ---

sort_items=262144
"$root/tools/build-programs.sh" "gcc -fopenmp" "$scratch/O2" > /dev/null 2>&1
set --
for cutoffs in 1024-1024 4096-4096 16384-16384 65536-65536 4096-16384 4096-65536 "4096-$sort_items"; do
	sort=${cutoffs%-*} merge=${cutoffs#*-}
	counted "why-sort-$cutoffs" --no-footprint "$scratch/O2/sort" "$sort_items" "$sort" "$merge" 128 &&
		set -- "$@" "$sort $merge=$runs/why-sort-$cutoffs.winnow"
done
printf '### Sort: parallelism over cut-offs\n\n'
echo "$sort_items items. One task sorts parts up to the first cut-off, and merges up to the second one."
printf '\n| sort cut-off | merge cut-off | tasks | critical_path | work | parallelism |\n|---:|---:|---:|---:|---:|---:|\n'
"$winnow" characterize --weight instructions --json "$@" |
	jq -r "$number"'.cases[] | (.name | split(" ")) as $c |
		"| \($c[0]) | \(if $c[1] == "'$sort_items'" then "all merges" else $c[1] end) | \(.properties.tasks) | \(.properties.critical_path | n) | \(.properties.work | n) | \(.parallelism | n) |"'

# --- intensity: by what the compiler does ---

printf '\n### Intensity by compiler options\n\n'
echo "For the median task; in brackets the rank among the ten programs, all compiled with these options, from the smallest: 6 and more is the upper half."
printf '\n| gcc | instructions by accesses: sparselu | strassen | instructions by footprint: sparselu | strassen |\n|---|---:|---:|---:|---:|\n'
for flags in -O2 "-O2 -fno-tree-vectorize" -O3 -O0; do
	folder=$(printf '%s' "$flags" | tr -d ' ')
	# flags are words
	# shellcheck disable=SC2086
	[ -d "$scratch/${folder#-}" ] ||
		"$root/tools/build-programs.sh" "gcc -fopenmp" "$scratch/${folder#-}" $flags > /dev/null 2>&1
	set --
	while read -r program arguments; do
		# arguments are words
		# shellcheck disable=SC2086
		counted "why$folder-$program" "" "$scratch/${folder#-}/$program" $arguments < /dev/null &&
			set -- "$@" "$program=$runs/why$folder-$program.winnow"
	done < "$scratch/commands"
	"$winnow" characterize --json "$@" | jq -r --arg flags "$flags" '
		def placed(f): [.cases[] | {name, x: (.properties | f)}] | sort_by(.x) | to_entries
			| map({(.value.name): "\(.value.x * 100 | round / 100) (\(.key + 1))"}) | add;
		placed(.instructions / (.memory_reads + .memory_writes)) as $accesses
		| placed(.instructions / .footprint) as $footprint
		| "| `\($flags)` | \($accesses.sparselu) | \($accesses.strassen) | \($footprint.sparselu) | \($footprint.strassen) |"'
done

# --- components: the same table in logarithms ---

[ -n "$study" ] || exit 0
jq -r '[.properties[] | select(.left_out == null) | .name] as $p | (["run"] + $p | @csv),
	(.cases[] | select(.left_out == null) | . as $c | [.name] + [$p[] as $k | $c.properties[$k] + 1 | log] | @csv)' \
	"$study" > "$scratch/log.csv"
"$winnow" characterize --table "$scratch/log.csv" --json > "$scratch/log.json"
printf '\n### The same table in logarithms\n\n'
echo "Properties range over orders of magnitude, so a few large runs determine the components. With the logarithm of each property plus one:"
printf '\n| component | variance | cumulative | |\n|---|---:|---:|---|\n'
jq -r '(.components[] | select(.kept) | "| \(.name) | \(.share * 1000 | round / 10) % | \(.cumulative * 1000 | round / 10) % | \(.meaning) |"),
	"", "Loadings of PC1: \([.properties[] | "\(.name) \(.loadings[0] * 100 | round / 100)"] | join(", ")). \(.kept) are kept.",
	"", "Cross-validation: \(.cross_validation.best) components predict hidden values best; mean square error with 0, 1, ...: \(.cross_validation.errors | map(. * 1000 | round / 1000 | tostring) | join(", "))."' \
	"$scratch/log.json"
