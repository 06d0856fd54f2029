#!/bin/bash
# SPDX-License-Identifier: MIT
#
# beside.sh BUILD - under debuggers and tracers, and started by other commands, a program is recorded as
# ever; what the user preloads stays, in its order, for children as well. TAP.
set -u
# shellcheck source-path=SCRIPTDIR source=common.bash
. "$(dirname "$0")/common.bash"

cd "$work" || exit 1
export OMP_NUM_THREADS=2
programs=$here/programs
cp "$(compiled living fifty.c gcc)" fifty.gcc && cp "$(compiled living fifty.c "gcc -no-pie")" fifty.no-pie || exit 1
for name in first second; do
	gcc -O1 -fPIC -shared -DNAME="\"$name\"" "$programs/hello.c" -o lib$name.so || exit 1
done
# with the choice, one layout of gcc's program and one libomp
kinds=$(one_of "beside gcc" fifty.gcc fifty.no-pie | xargs -n 1 printf '%s libgomp\n')
if program=$(compiled living fifty.c "$oldest_clang -gdwarf-4") && cp "$program" fifty.clang; then
	kinds+=$'\n'$(one_of "beside libomp" $two_libomps | xargs -n 1 printf 'fifty.clang %s\n')
fi

needs() { # tool, sentence
	command -v "$1" > /dev/null && return
	say ok "$2 # SKIP no $1"
	return 1
}

# The one trace, of fifty tasks.
fifty_tasks() {
	read_trace "$work/t"
	holds state closed graph sound dropped 0 tasks 50 completed 50 regions 1
	[ ! -e "$(echo "$work"/t.[0-9]*)" ] || why "a trace too many"
}

# recorded SENTENCE COMMAND...: as without us, and recorded
recorded() {
	local sentence=$1
	shift
	both "$@"
	fifty_tasks
	verdict "$sentence: $program, $runtime"
}

while read -r program runtime; do
	use_runtime "$runtime"
	recorded "plain" ./"$program"
	recorded "below env" env "A=b c" ./"$program"
	recorded "below sh -c" sh -c "./$program; exit 3"
	recorded "below nested shells" sh -c "bash -c './$program | cat'"
	recorded "below timeout" timeout 20 ./"$program"
	recorded "below nice" nice -n 1 ./"$program"
	recorded "below xargs" sh -c "echo a b | xargs -n 2 ./$program"
	recorded "below nohup" sh -c "nohup ./$program 2> /dev/null"
	recorded "below a pipe of bash" bash -c "set -o pipefail; ./$program | sed s/a/b/"
	recorded "without randomized addresses" setarch -R ./"$program"
	# the variables are for the shell below us
	# shellcheck disable=SC2016
	recorded "in an empty environment but for ours" \
		sh -c 'exec env -i LD_PRELOAD="$LD_PRELOAD" OMP_TOOL_LIBRARIES="$OMP_TOOL_LIBRARIES" \
			WINNOW_OUT="$WINNOW_OUT" WINNOW_BACK="$WINNOW_BACK" LD_LIBRARY_PATH="$LD_LIBRARY_PATH" ./'"$program"
	needs setsid "below setsid" && recorded "below setsid" setsid -w ./"$program"
	if needs strace "below strace"; then
		recorded "below strace" strace -f -o strace.out ./"$program"
		grep -q 'exited with' strace.out || why "nothing was traced"
		verdict "and strace sees it: $program, $runtime"
		# and the other way round
		rm -f t
		strace -f -o strace.out "$build/winnow" record -o t ./"$program" > recorded 2> "$work/talk" || why "fails"
		cmp -s plain recorded || why "output differs"
		fifty_tasks
		verdict "strace of winnow: $program, $runtime"
	fi
	if needs valgrind "below valgrind"; then
		recorded "below valgrind" valgrind -q --error-exitcode=9 --log-file=valgrind.%p ./"$program"
		[ "$(cat valgrind.* | grep -c .)" -eq 0 ] || why "valgrind complains: $(cat valgrind.* | head -n 12)"
		verdict "and valgrind finds no fault: $program, $runtime"
		rm -f valgrind.*
	fi
	if needs gdb "below gdb"; then
		# to a file of its own: gdb writes of threads whenever they end, the program's words in between
		gdb -nx -batch -ex 'run > plain' -ex bt ./"$program" > plain.talk 2>&1
		rm -f t
		"$build/winnow" record -o t gdb -nx -batch -ex 'run > said' -ex bt ./"$program" > recorded 2> "$work/talk"
		diff plain said >> why
		fifty_tasks
		grep -q 'exited normally' recorded || why "it did not end well: $(tail -n 2 recorded)"
		verdict "gdb runs it: $program, $runtime"

		rm -f t
		"$build/winnow" record -o t gdb -nx -batch -ex 'break work if i == 7' -ex run -ex bt -ex finish -ex 'info threads' \
			-ex continue ./"$program" > recorded 2> "$work/talk" || why "fails"
		grep -q '^#0 .*work (i=7)' recorded || why "no stop in the task: $(cat recorded)"
		grep -q 'exited normally' recorded || why "it did not end well: $(tail -n 2 recorded)"
		fifty_tasks
		verdict "a breakpoint in a task: $program, $runtime"

		rm -f t
		timeout 100 gdb -nx -batch -ex run --args "$build/winnow" record -o t ./"$program" > recorded 2> "$work/talk" || why "fails"
		grep -q 'exited normally' recorded || why "it did not end well: $(tail -n 2 recorded)"
		fifty_tasks
		verdict "gdb runs winnow: $program, $runtime"

		rm -f t
		timeout 100 gdb -nx -batch -ex 'set breakpoint pending on' -ex 'break launch_program' -ex run \
			-ex 'set follow-fork-mode child' -ex 'break work if i == 7' -ex continue -ex bt -ex continue --args "$build/winnow" record -o t ./"$program" \
			> recorded 2> "$work/talk" < /dev/null || why "fails"
		grep -q '^#0 .*work (i=7)' recorded || why "no stop in the task: $(cat recorded)"
		fifty_tasks
		verdict "gdb follows winnow into the program: $program, $runtime"
	fi
	unset LD_LIBRARY_PATH
done <<< "$kinds"

# Addresses are found in every layout.
for program in fifty.gcc fifty.no-pie; do
	for layout in "" "setarch -R"; do
		rm -f t
		# a command or none
		# shellcheck disable=SC2086
		"$build/winnow" record -o t $layout ./$program > recorded 2> "$work/talk"
		"$build/winnow" report --json t > report.json 2> "$work/talk"
		grep -q '"fifty\.c:[0-9]*"\|fifty\.c' report.json || why "no line of the source in the report"
		verdict "source lines: $program ${layout:-as it is}"
	done
done

# Whoever looks for a function takes the linker's locks, in the order in which dlopen takes them elsewhere.
gcc -O1 -g -fopenmp "$programs/opening.c" -o opening.gcc && echo 'int nothing;' > nothing.c &&
	gcc -shared -fPIC nothing.c -o libnothing.so || exit 1
for ((i = 0; i < 20; i++)); do
	both ./opening.gcc ./libnothing.so
	[ ! -s why ] || break
done
read_trace "$work/t"
holds state closed graph sound dropped 0 tasks 30 completed 30 regions 3
verdict "libraries come and go while threads open their first regions"

# What the user preloads: blanks and colons separate, order stays, what is missing is said once.
preloaded() { # sentence, value
	local sentence=$1 preload=$2
	rm -f t
	LD_PRELOAD=$preload ./fifty.gcc > plain 2> plain.talk
	LD_PRELOAD=$preload "$build/winnow" record -o t ./fifty.gcc > recorded 2> recorded.talk
	LD_PRELOAD=$preload "$build/winnow" record -o t sh -c 'sh -c ./fifty.gcc; :' > child 2> child.talk
	hello=$(grep -c ^hello plain.talk)
	{
		diff <(grep ^hello plain.talk) <(grep ^hello recorded.talk | tail -n "$hello")
		diff <(grep ^hello plain.talk) <(grep ^hello child.talk | tail -n "$hello")
		diff <(grep -c 'cannot be preloaded' plain.talk) <(grep 'cannot be preloaded' recorded.talk | sort -u | wc -l)
	} >> why
	cmp -s plain recorded || why "output differs"
	cmp -s plain child || why "a child's output differs"
	fifty_tasks
	verdict "$sentence"
}
preloaded "preloads with a colon" "$work/libfirst.so:$work/libsecond.so"
grep -q 'hello from second' plain.talk || why "the libraries do not speak: this proves nothing"
preloaded "preloads with a blank" "$work/libfirst.so $work/libsecond.so"
preloaded "preloads the other way round" "$work/libsecond.so:$work/libfirst.so"
preloaded "preloads with many separators" ": $work/libfirst.so ::  $work/libsecond.so:"
preloaded "a preload that is missing" "$work/libfirst.so:/nowhere/libmissing.so:$work/libsecond.so"
preloaded "an empty preload" ""

environment() { # sentence, variable settings...
	local sentence=$1
	shift
	env "$@" sh -c 'env | sort' | grep -v '^_=' > plain
	rm -f t
	env "$@" "$build/winnow" record -k -o t sh -c 'env | sort' 2> "$work/talk" | grep -v '^_=' > recorded
	diff <(grep -vE '^(LD_PRELOAD|OMP_TOOL_LIBRARIES|WINNOW_(OUT|BACK))=' plain) \
		<(grep -vE '^(LD_PRELOAD|OMP_TOOL_LIBRARIES|WINNOW_(OUT|BACK))=' recorded) >> why
	verdict "$sentence"
}
environment "the rest of the environment stays" A=b
environment "no library path" -u LD_LIBRARY_PATH
environment "an empty library path" LD_LIBRARY_PATH=
environment "a library path with blanks" "LD_LIBRARY_PATH=/a b:/c"

# Programs that the loader protects, and environments that are stripped: they run, and it is said why not.
unharmed() { # sentence, what is said, command...
	local sentence=$1 said=$2
	shift 2
	both "$@"
	[ ! -e t ] || why "there is a trace"
	grep -qE "$said" talk || why "nobody is told: $(cat talk)"
	[ "$(grep -vc '^winnow record: ' talk)" -eq "$(grep -c . plain.talk)" ] || why "there is other talk"
	verdict "$sentence"
}
unharmed "an environment that is emptied" 'what env starts in an environment without LD_PRELOAD' env -i ./fifty.gcc
unharmed "a script that empties it" 'what [a-z]*sh starts in an environment without LD_PRELOAD' sh -c 'exec env -i ./fifty.gcc'
unharmed "a preload that is taken away" 'what env starts in an environment without LD_PRELOAD' env -u LD_PRELOAD ./fifty.gcc
gcc -O1 -DLAUNCHER "$programs/fifty.c" -o sudo && unharmed "sudo, or what acts like it" \
	"what sudo starts may have another environment.*put 'winnow record' behind it" ./sudo ./fifty.gcc
if [ "$(id -u)" -eq 0 ]; then
	chmod 755 "$work"
	cp fifty.gcc setuid && chown nobody setuid && chmod 4755 setuid
	cp fifty.gcc setgid && chgrp nogroup setgid && chmod 2755 setgid
	unharmed "a program that is setuid" 'set-user-ID.* ignores LD_PRELOAD' ./setuid
	unharmed "a program that is setgid" 'set-group-ID.* ignores LD_PRELOAD' ./setgid
	unharmed "a setuid program behind a shell" 'nothing recorded' sh -c './setuid; :'
	mkdir open && chmod 777 open
	if command -v setpriv > /dev/null && command -v setcap > /dev/null && cp fifty.gcc setcap &&
		setcap cap_net_raw+ep setcap 2> "$work/talk" && setpriv --reuid=65534 --clear-groups test -x "$build/winnow"; then
		setpriv --reuid=65534 --clear-groups "$build/winnow" record -k -o open/t ./setcap > recorded 2> "$work/talk" || why "fails"
		./setcap | cmp -s - recorded || why "output differs"
		[ ! -e open/t ] || why "there is a trace"
		grep -q 'capabilities.* ignores LD_PRELOAD' talk || why "nobody is told: $(cat talk)"
		verdict "a program with capabilities"
	else
		say ok "a program with capabilities # SKIP no setcap"
	fi
else
	say ok "programs with rights of their own # SKIP not root"
fi
done_testing
