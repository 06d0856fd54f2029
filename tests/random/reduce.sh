#!/bin/bash
# SPDX-License-Identifier: MIT
#
# reduce.sh BUILD SEED COMPILER RUNTIME THREADS DIR - if the program of that seed fails, takes parts of
# it away as long as it does, writes what is left to DIR, with what is known of it and what was
# recorded, and says where. Exit status 1 if it does not fail.
#
# A failure counts as the same if the first word of the reason is: facts, check, record, report, the.
# What fails only now and then is tried WN_RANDOM_TRIES times (3).
set -u

build=$(realpath "$1")
seed=$2 compiler=$3 runtime=$4 t=$5 dir=$6
tools=${WN_RANDOM_TOOLS:-$build/tests/random}
runtimes=${WN_RANDOM_RUNTIMES:-$build/runtimes}
tries=${WN_RANDOM_TRIES:-3}
work=$(mktemp -d "${TMPDIR:-/tmp}/winnow-reduce.XXXXXX")
trap 'rm -rf "$work"' EXIT
threads=$t
# shellcheck source=tests/random/try.bash
. "$(dirname "$0")/try.bash"

reason=
fails() { # gone, hoisted
	local i
	make_batch "$seed" 1 "$compiler" "$runtime" "--gone=$1" "--hoist=$2" > "$work/log" 2>&1 || return 1
	for ((i = 0; i < tries; i++)); do
		try "$runtime" "$t"
		[ $? -ne 1 ] || { [ -n "$reason" ] && [ "${why%% *}" != "$reason" ]; } || return 0
	done
	return 1
}

gone='' hoisted='' why=''
fails '' '' || exit 1
reason=${why%% *}
full_why=$why
deadline=$((SECONDS + ${WN_RANDOM_REDUCE_SECONDS:-120}))

# Whole constructs first, from the outermost in; then constructs around what they hold.
outline() {
	"$tools/random-program" "$seed" 1 "$(language_of "$compiler")" "$compiler" "$runtime" "$t" \
		- - "--gone=$gone" "--hoist=$hoisted" --outline
}
is_smaller=true
while $is_smaller && [ $SECONDS -lt $deadline ]; do
	is_smaller=false
	for number in $(outline); do
		[ $SECONDS -lt $deadline ] || break
		case " $(outline) " in *" $number "*) ;; *) continue ;; esac
		if fails "$gone,${number%h}" "$hoisted"; then
			gone=$gone,${number%h}
		elif [ "$number" != "${number%h}" ] && fails "$gone" "$hoisted,${number%h}"; then
			hoisted=$hoisted,${number%h}
		else
			continue
		fi
		full_why=$why
		is_smaller=true
	done
done

fails "$gone" "$hoisted"
[ -z "$why" ] || full_why=$why
out=$dir/$seed.$compiler.$runtime.$t
mkdir -p "$out"
for file in "$work"/program "$work"/program.* "$work"/truth.* "$work/want" "$work/seen" "$work/trace" "$work/differences"; do
	case $file in *.o | *.mod) continue ;; esac
	[ ! -e "$file" ] || cp "$file" "$out/"
done
{
	echo "$full_why"
	echo "tests/random/reduce.sh BUILD $seed $compiler $runtime $t DIR"
	echo "random-program options: --gone=$gone --hoist=$hoisted"
} > "$out/why"
echo "$out: $full_why"
