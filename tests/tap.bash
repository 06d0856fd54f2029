# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# tap.bash - what scripts that print TAP share. Sourced.

n=0 n_failed=0
tests=$(cd "${BASH_SOURCE[0]%/*}" && pwd)
# What `make test` chooses of the combinations that there are (covering); "all" for every one.
WN_CHOICE=${WN_CHOICE:-$("$tests/../tools/choice.sh")}
export WN_CHOICE
# shellcheck source-path=SCRIPTDIR source-path=SCRIPTDIR/.. source-path=SCRIPTDIR/../.. source=here.bash
. "$tests/here.bash"
# shellcheck source-path=SCRIPTDIR source-path=SCRIPTDIR/.. source-path=SCRIPTDIR/../.. source=programs/several.bash
. "$tests/programs/several.bash"

# libomp registers a process in a file of its number, which stays where the process is killed; if that was before
# anything was written to it, the next process of that number refuses to begin ("OMP: Error #15").
forget_dead_runtimes() {
	local registered process
	for registered in /dev/shm/__KMP_REGISTERED_LIB_*; do
		process=${registered#*_LIB_}
		[ -d "/proc/${process%%_*}" ] || rm -f "$registered" 2> /dev/null
	done
}
forget_dead_runtimes

# A profile of what recording costs would be measured beside other tests, and change what they print.
export WINNOW_CALIBRATE=never

# Threads that wait give their core away: tests share the machine, with each other and with others. The whole product
# waits as programs do by themselves.
[ "$WN_CHOICE" = all ] || export OMP_WAIT_POLICY="${OMP_WAIT_POLICY:-passive}"

# turn KEY N: into the variable turn a number from 0 to N - 1, another for each key and for each choice
turn() {
	local text="$WN_CHOICE $1" sum=0 i code
	for ((i = 0; i < ${#text}; i++)); do
		printf -v code %d "'${text:i:1}"
		sum=$(((sum * 31 + code) % 4294967291))
	done
	turn=$((sum % $2))
}

# covering KEY WAYS THREADS: which of the products of ways and numbers of threads to try, a line "WAY THREADS..." for each
# way: with each number of threads at least one way, and the other way round; which with which is another for each key
# and each choice.
covering() {
	local choices numbers i rows lines=() turn from_choice from_number
	read -r -a choices <<< "$2"
	read -r -a numbers <<< "$3"
	if [ ${#choices[@]} -eq 0 ]; then
		return
	elif [ "$WN_CHOICE" = all ]; then
		printf "%s $3\n" "${choices[@]}"
		return
	fi
	rows=$((${#choices[@]} > ${#numbers[@]} ? ${#choices[@]} : ${#numbers[@]}))
	turn "$1 ways" ${#choices[@]}
	from_choice=$turn
	turn "$1 threads" ${#numbers[@]}
	from_number=$turn
	for ((i = 0; i < rows; i++)); do
		lines[(i + from_choice) % ${#choices[@]}]+=" ${numbers[(i + from_number) % ${#numbers[@]}]}"
	done
	for i in "${!lines[@]}"; do
		echo "${choices[i]}${lines[i]}"
	done
}

# one_of KEY ITEM...: one of the items, or all of them
one_of() {
	local key=$1
	shift
	if [ "$WN_CHOICE" = all ]; then
		echo "$@"
	else
		local turn
		turn "$key" $#
		echo "${@:turn+1:1}"
	fi
}

# some_of KEY N_CHOSEN N: numbers from 0 to N - 1, one in a line: so many, or all of them
some_of() {
	local i turn=0 n=$3
	if [ "$WN_CHOICE" != all ] && [ "$2" -lt "$3" ]; then
		turn "$1" "$3"
		n=$2
	fi
	for ((i = 0; i < n; i++)); do
		echo $(((turn + i) % $3))
	done
}

# compiled SET NAME KIND: where that program is (tests/programs); false if it cannot be compiled here. $build is set.
compiled() {
	local compiled
	is_compiled "$@" && echo "$compiled"
}

# is_compiled SET NAME KIND: the same, in the variable compiled, without a process to hand it over
is_compiled() {
	local kind=${3// /}
	# shellcheck disable=SC2154
	compiled=$build/tests/programs/$1-$2.${kind//=/-}
	[ -s "$compiled" ]
}

# columns_of COLUMN...: of a table of grains on the standard input (winnow export --format csv), those columns by their
# names, without the head. A busy machine takes the CPU away from grains: work_ns is without that time, and one column
# more, elapsed_ns, is the work with it. The first judges what must not take long, the second what must.
columns_of() {
	awk -F, -v wanted="$*" '
		/^#/ { next }
		!n {
			for (i = 1; i <= NF; i++) at[$i] = i
			n = split(wanted, names, " ")
			for (i = 1; i <= n; i++)
				if (!(names[i] in at) && names[i] != "elapsed_ns") { print "no column " names[i]; exit }
			next
		}
		{
			line = ""
			for (i = 1; i <= n; i++) {
				value = names[i] in at ? $at[names[i]] : $at["work_ns"] + ("off_cpu_ns" in at ? $at["off_cpu_ns"] : 0)
				line = line (i > 1 ? "," : "") value
			}
			print line
		}'
}

# first_at_a_place REPORT.json: the first finding that concerns a place in the program. What concerns the whole process
# (threads and cores, other threads, page faults, settings of waits) depends on what the machine has to do besides.
first_at_a_place() {
	jq -c '[.advice | to_entries[] | select(.value.place != null) | .value + {rank: (.key + 1)}][0] // {rank: 0}' "$1"
}

# is_listed RANK TITLE PLACE REPORT.txt: the report's text says so of its finding of that rank
is_listed() {
	if [ "$1" -le 1 ]; then
		sed -n 1,8p "$4" | tr '\n' ' ' | grep -qF "Worst: $2 at $3."
	else
		awk -v rank="$1" '$1 == rank' "$4" | grep -F -- "$2" | grep -qF -- "$3"
	fi
}

# find_python: into the variable python the interpreter itself, where python3 is a script that chooses one (pyenv), which
# would be ten processes more for each start; false if there is none. Scripts start it with -S: without what sites add.
find_python() {
	python=$(python3 -S -c 'import sys; print(sys.executable)' 2> /dev/null) && [ -n "$python" ]
}

say() { # ok or not ok, sentence
	n=$((n + 1))
	[ "$1" = ok ] || n_failed=$((n_failed + 1))
	echo "$1 $n - $2"
}

result() { # sentence, what speaks against it
	if [ -z "$2" ]; then
		say ok "$1"
	else
		say "not ok" "$1"
		head -n 20 <<< "$2" | cut -c 1-200 | sed 's/^/# /'
	fi
}

done_testing() {
	echo "1..$n$([ "$n" -gt 0 ] || echo ' # SKIP none of its programs is compiled here')"
	[ "$n_failed" -eq 0 ]
}
