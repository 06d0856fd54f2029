#: help
# --help lists the verbs on stdout
winnow --help
#= stdout glob
#| usage: winnow VERB*verbs:*run *record *doctor *see winnow(1)
#: help-option
# VERB --help is the same as help VERB, for every verb
for verb in $(winnow --help | sed -n '/^verbs:/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
	winnow help "$verb" > a
	winnow "$verb" --help > b
	cmp a b
	winnow "$verb" -h > b
	cmp a b
	echo "$verb" >> verbs
	grep -q "^see winnow-$verb(1)" a
done
test "$(wc -l < verbs)" -ge 3
#: help-unknown
# help for an unknown verb is a usage error
winnow help blow
#= exit 2
#= stderr
#| winnow: unknown verb 'blow'; see winnow --help
#: help-verb
# help VERB prints the verb's option table
winnow help record
#= stdout glob
#| usage: winnow record [[]OPTION]... [[]--] PROG [[]ARG]...
#|
#| Record *
#|
#| options:
#|   -o, --output FILE *
#|   -v, --verbose *
#|   -h, --help *show this help
#|
#| examples:
#|   winnow record *
#|
#| see winnow-record(1)
#: no-verb
# without a verb the usage goes to stderr
winnow
#= exit 2
#= stderr glob
#| usage: winnow VERB*winnow run ./program*
#: unknown-option
# an unknown option before the verb is a usage error
winnow --blow record true
#= exit 2
#= stderr
#| winnow: unknown option '--blow'; options follow the verb, see winnow --help
#: unknown-verb
# an unknown verb is a usage error
winnow blow
#= exit 2
#= stderr
#| winnow: unknown verb 'blow'; see winnow --help
#: version
# --version prints one line
winnow --version
#= stdout glob
#| winnow [0-9]*.[0-9]*.[0-9]*

#: mistakes
# Each mistake on the command line gives one line that says what to do
cp "$COMPILED/cli-omp.c.gcc" omp
cp "$COMPILED/cli-omp.c.gcc" solver
winnow record -o omp.winnow ./omp > sum 2>&1
mkdir series empty
winnow record --threads 1,2 -o series ./omp > sum 2>&1
echo 'int main(void) { return 0; }' > prog.c
head -c 5000 /dev/urandom > noise
: > page.html
head -c 4096 omp.winnow > cut.winnow
# try WORD...: the line, and the status
try() {
	status=0
	winnow "$@" > out 2> talk < /dev/null || status=$?
	[ "$(wc -l < talk)" = 1 ] || echo "$*: not one line"
	[ "$status" != 0 ] || echo "$*: no failure"
	[ ! -s out ] || echo "$*: prints"
	{
		printf winnow
		printf " '%s'" "$@"
		echo
	} >> all
	printf '%s %s\n' "$status" "$(sed "s,$PWD,PWD,g" talk)"
}
try rpeort omp.winnow
try help repotr
try omp.winnow
try ./omp
try omp
try series
try ls
try omp.winow
try prog.c
try page.html
try --verison
try --json report omp.winnow
try -v
try report
try report omp
try report ./omp
try report prog.c
try report noise
try report empty
try report omp.winow
try report -json omp.winnow
try report --jsn omp.winnow
try report --colour=never omp.winnow
try report --color=nevr omp.winnow
try report --show place omp.winnow
try report --top none omp.winnow
try report --top 0 omp.winnow
try report --top
try report --json=yes omp.winnow
try report -g=1 omp.winnow
try report --group 99 omp.winnow
try report --fail-if 'paralelism < 4' omp.winnow
try report --fail-if 'parallelism = 4' omp.winnow
try report --fail-if 'parallelism <' omp.winnow
try report --metric 'x = wrok_ns / 2' omp.winnow
try report --weight instrutions omp.winnow
try report --threshold paralel_benefit omp.winnow
try tree --problem paralel_benefit omp.winnow
try tree omp.winnow 99
try diff omp.winnow
try export --format grapml omp.winnow
try export omp.winnow
try export omp.winnow -o omp.winnow
try view -o no/page.html omp.winnow
try view --port 99999 --serve omp.winnow
try predict --threads 0 omp.winnow
try predict --threads two omp.winnow
try run
try run solver
try run omp.winnow
try run ./prog.c
try run ./solvr
try run empty
try run OMP_NUM_THREADS=2 ./omp
try rn ./omp
try help rn
try run --source omptt ./omp
try run --counters cycels ./omp
try run --threads 1-4 ./omp
try run --repeat 3 ./omp
try run -o no/t ./omp
try run -o prog.c ./omp
try run --output= ./omp
try record --ouptut t ./omp
try cc
try import omp.winnow
try doctor ./solvr
try dump omp.winnow --limit x
# on a terminal each fits 80 columns, as texts that are no mistake do
for verb in $(winnow help | sed -n 's/^  \([a-z+]*\)  .*/\1/p'); do
	echo winnow help "$verb"
done >> all
cat >> all << 'END'
winnow
winnow report omp.winnow
winnow report -v omp.winnow
winnow report series
winnow tree omp.winnow
winnow check omp.winnow
winnow doctor
winnow doctor ./omp
winnow diff omp.winnow omp.winnow
winnow diff -v omp.winnow omp.winnow
winnow similar omp.winnow
winnow predict omp.winnow --threads 1..4
winnow record -o again.winnow ./omp
winnow view -o page omp.winnow
winnow export -o omp.csv omp.winnow
END
wide() { LC_ALL=C.UTF-8 sed 's/\x1b\[[0-9;]*[mK]//g; s/\r//g' | LC_ALL=C.UTF-8 grep -E '^.{81}' || true; }
if command -v script > all.where; then
	NO_COLOR=1 PAGER=cat script -qec "stty cols 80; . ./all" /dev/null < /dev/null > typed
	wide < typed
	[ "$(wc -l < typed)" -ge "$(wc -l < all)" ] || echo "not all was typed"
fi
#= stdout
#| 2 winnow: unknown verb 'rpeort'; did you mean 'winnow report'?
#| 2 winnow: unknown verb 'repotr'; did you mean 'winnow report'?
#| 2 winnow: unknown verb 'omp.winnow'; did you mean 'winnow report omp.winnow'?
#| 2 winnow: unknown verb './omp'; did you mean 'winnow run ./omp'?
#| 2 winnow: unknown verb 'omp'; did you mean 'winnow run ./omp'?
#| 2 winnow: unknown verb 'series'; did you mean 'winnow report series'?
#| 2 winnow: unknown verb 'ls'; did you mean 'winnow run ls'?
#| 2 winnow: omp.winow: no such file; did you mean 'omp.winnow'?
#| 2 winnow: unknown verb 'prog.c'; it is source code: compile it with -g, then 'winnow run ./PROG'
#| 2 winnow: unknown verb 'page.html'; it is a page: open it in a browser
#| 2 winnow: unknown option '--verison'; did you mean '--version'?
#| 2 winnow: unknown option '--json'; options follow the verb, see winnow --help
#| 2 winnow: unknown option '-v'; options follow the verb, see winnow --help
#| 2 winnow report: missing operand; usage: winnow report [OPTION]... FILE...
#| 1 winnow report: omp: not a recording; it is a program: did you mean 'winnow run ./omp'?
#| 1 winnow report: ./omp: not a recording; it is a program: did you mean 'winnow run ./omp'?
#| 1 winnow report: prog.c: not a recording; it is source code: compile it with -g, then 'winnow run ./PROG'
#| 1 winnow report: noise: byte 0: not a Winnow trace (no magic number at byte 0); winnow record makes traces
#| 1 winnow report: empty: a folder without recordings of a series, tTHREADS-rRUN.winnow
#| 1 winnow report: omp.winow: cannot open: No such file or directory; did you mean 'omp.winnow'?
#| 2 winnow report: unknown option '-json'; did you mean '--json'?
#| 2 winnow report: unknown option '--jsn'; did you mean '--json'?
#| 2 winnow report: unknown option '--colour'; did you mean '--color'?
#| 2 winnow report: option '--color': unknown 'nevr'; did you mean 'never'?
#| 2 winnow report: option '--show': unknown 'place'; did you mean 'places'?
#| 2 winnow report: option '--top': 'none' is not a number; see winnow help report
#| 2 winnow report: option '--top': 0 is too few; see winnow help report
#| 2 winnow report: option '--top' needs a value: N; see winnow help report
#| 2 winnow report: option '--json' takes no value; see winnow help report
#| 2 winnow report: option '-g' takes its value without '='; did you mean '--group=1'?
#| 2 winnow report: no grain is called '99'; the root is R/F0
#| 2 winnow report: --fail-if 'paralelism < 4': column 1: unknown name 'paralelism'; did you mean 'parallelism'?
#| 2 winnow report: --fail-if 'parallelism = 4': column 13: expected an operator, found '='; equality is ==; see winnow help report
#| 2 winnow report: --fail-if 'parallelism <': column 14: expected a value, found the end; see winnow help report
#| 2 winnow report: metric 'x': column 5: unknown name 'wrok_ns'; did you mean 'work_ns'?
#| 2 winnow report: --weight 'instrutions': the recording has no such weight; it has work, time
#| 2 winnow report: --threshold 'paralel_benefit': not TYPE<NUMBER or TYPE>NUMBER; is TYPE 'parallel_benefit'?
#| 2 winnow tree: omp.winnow: no problem is called 'paralel_benefit'; did you mean 'parallel_benefit'?
#| 2 winnow tree: omp.winnow: no grain is called '99'; the root is R/F0
#| 2 winnow diff: missing operand; usage: winnow diff [OPTION]... A B [C]...
#| 2 winnow export: option '--format': unknown 'grapml'; did you mean 'graphml'?
#| 2 winnow export: the name of the output does not give the format; add --format, see winnow help export
#| 2 winnow export: the name of the output does not give the format; add --format, see winnow help export
#| 1 winnow view: no/page.html: No such file or directory; nothing exported
#| 2 winnow view: --port '99999': not a number from 0 to 65535
#| 2 winnow predict: --threads '0': not a list of numbers and ranges from 1 to 1024, such as 1,2,4 or 1..64, of at most 256 numbers
#| 2 winnow predict: --threads 'two': not a list of numbers and ranges from 1 to 1024, such as 1,2,4 or 1..64, of at most 256 numbers
#| 2 winnow run: missing operand; usage: winnow run [OPTION]... [--] PROG [ARG]...
#| 2 winnow run: solver: no such program; did you mean './solver'?
#| 2 winnow run: omp.winnow: is not a program; it is a recording: did you mean 'winnow report omp.winnow'?
#| 2 winnow run: ./prog.c: is not a program; it is source code: compile it with -g first
#| 2 winnow run: ./solvr: no such program; did you mean './solver'?
#| 2 winnow run: empty: no such program
#| 2 winnow run: OMP_NUM_THREADS=2: no such program; did you mean 'OMP_NUM_THREADS=2 winnow run'?
#| 2 winnow: unknown verb 'rn'; did you mean 'winnow run'?
#| 2 winnow: unknown verb 'rn'; did you mean 'winnow run'?
#| 2 winnow run: option '--source': unknown 'omptt'; did you mean 'ompt'?
#| 2 winnow run: --counters: 'cycels' is not a counter; did you mean 'cycles'?
#| 2 winnow run: --threads '1-4': not a list of numbers and ranges from 1 to 65536, such as 1,2,4 or 1..4
#| 2 winnow run: --threads: not given; --repeat needs it
#| 2 winnow run: no/t: cannot be created: No such file or directory; the program is not run; --keep-going runs it unrecorded
#| 2 winnow run: prog.c: exists and is not a Winnow trace; not overwritten
#| 2 winnow run: --output '': not the name of a file
#| 2 winnow record: unknown option '--ouptut'; did you mean '--output'?
#| 2 winnow cc: no compiler given; see 'winnow cc --help'
#| 2 winnow import: omp.winnow: is a recording already; winnow report reads it
#| 2 winnow doctor: ./solvr: no such program; did you mean './solver'?
#| 2 winnow dump: option '--limit': 'x' is not a number; see winnow help dump
#: completion
# bash completes verbs, options, their values and the program's command line
command -v bash > /dev/null || { echo "bash is missing"; exit 77; }
mkdir folder
touch folder/a.winnow prog.winnow
chmod +x prog.winnow
# complete WORD...: what the last of them may become
cat > complete.bash << 'C'
. "$COMPLETIONS/winnow.bash"
compopt() { :; } # it works only while readline asks
complete_line() {
	COMP_WORDS=("$@")
	COMP_CWORD=$(($# - 1))
	_winnow
	echo "$*: ${COMPREPLY[*]}"
}
complete_line winnow rep
complete_line winnow help di
complete_line winnow report --gro
complete_line winnow report --color ''
complete_line winnow report --color = al
complete_line winnow record --source = ''
complete_line winnow export -f t
complete_line winnow export --format ''
complete_line winnow view --propagate m
complete_line winnow report pro
complete_line winnow report -o folder/
complete_line winnow record -o f
complete_line winnow record -o x ./pro
complete_line winnow record -- ./prog.winnow --gro
complete_line winnow record --source = omp
C
COMPLETIONS=$PROGRAMS/../../../completions bash complete.bash
#= stdout
#| winnow rep: report
#| winnow help di: diff
#| winnow report --gro: --group
#| winnow report --color : auto always never
#| winnow report --color = al: always
#| winnow record --source = : auto ompt ompt-grain libgomp pomp2
#| winnow export -f t: taskgraph
#| winnow export --format : graphml dot svg taskgraph csv gexf plain bare nodes edges mir-csv profile contribution
#| winnow view --propagate m: min max median mean
#| winnow report pro: prog.winnow
#| winnow report -o folder/: folder/a.winnow
#| winnow record -o f: folder
#| winnow record -o x ./pro: ./prog.winnow
#| winnow record -- ./prog.winnow --gro: 
#| winnow record --source = omp: ompt ompt-grain
#: full-disk
# output that cannot be written is a failure
winnow --help > /dev/full
#= exit 1
#= stderr
#| winnow: standard output: No space left on device
#: libraries
# Libraries of a few verbs are not loaded when the command starts
LD_TRACE_LOADED_OBJECTS=1 winnow > libraries
grep -c 'libdw' libraries
! grep -E 'libpfm|libexpat|liblapack' libraries
#= stdout
#| 1
#: names
# names of files steer no terminal, whatever prints them
cp "$COMPILED/cli-omp.c.gcc" omp
name=$(printf 'a\033[31m\342\200\256b\302\205\377\nc')
shown='a\x1b[31m\u202eb\u0085\xff\nc'
# Says what of a verb's output is wrong. Standard output and messages are looked at together.
try() {
	"$@" > said 2>&1 || true
	LC_ALL=C grep -q -P '\x1b|\xe2\x80\xae|\xc2[\x80-\x9f]|\xff' said && echo "$2: raw"
	iconv -f UTF-8 -t UTF-8 said > /dev/null 2>&1 || echo "$2: no UTF-8"
	grep -q -F "$shown" said || echo "$2: not shown"
}
for verb in report check dump tree export diff view import similar doctor characterize; do
	case $verb in
	diff | similar) try winnow "$verb" "$name" "$name" ;;
	export) try winnow "$verb" --format csv "$name" ;;
	*) try winnow "$verb" "$name" ;;
	esac
done
cp omp "$name"
name=$(printf 'a\033[31m\342\200\256b\302\205\377c')
shown='a\x1b[31m\u202eb\u0085\xffc'
cp omp "$name"
try winnow record -o "$name.winnow" "./$name"
try winnow report "$name.winnow"
try winnow dump "$name.winnow"
try winnow view -o "$name.html" "$name.winnow"
echo done
#= stdout
#| done

#: shells
# bash, zsh and fish complete verbs, options, their words, files and programs, typed in a terminal
command -v python3 > /dev/null || { echo "python3 is missing"; exit 77; }
touch prog.winnow
cp /bin/true solver
cat > keys << 'END'
winnow rep<T> => winnow report 
winnow help simi<T> => winnow help similar 
winnow report --grou<T> => winnow report --group
winnow report --format sar<T> => winnow report --format sarif 
winnow report --format=gi<T> => winnow report --format=github 
winnow report -f qu<T> => winnow report -f quickfix 
winnow report pro<T> => winnow report prog.winnow
winnow run ./sol<T> => winnow run ./solver 
winnow run -o x ./sol<T> => winnow run -o x ./solver 
END
tried=0
for shell in bash zsh fish; do
	command -v $shell > /dev/null || continue
	tried=$((tried + 1))
	HOME=$PWD "$PROGRAMS/../type_keys.py" $shell "$PROGRAMS/../../../completions" < keys > out || true
	[ "$(grep -c ': completed$' out)" = "$(wc -l < keys)" ] || { echo "$shell:"; grep -v ': completed$' out; }
done
[ $tried -gt 0 ] || { echo "no shell"; exit 77; }

#: messages
# a message is one line, but on a terminal it is broken between words at the width
command -v script > /dev/null || { echo "script is missing"; exit 77; }
winnow export none --format no > out 2> line || true
wc -l < line
script -qec "stty cols 60; winnow export none --format no" /dev/null < /dev/null | tr -d '\r' > lines
test "$(wc -l < lines)" -ge 2
awk 'length($0) > 60' lines
paste -sd ' ' lines | cmp - line
#= stdout
#| 1
#: progress
# on a terminal a command says what it does, in a line that is gone when it prints; elsewhere it says nothing
command -v script > /dev/null || { echo "script is missing"; exit 77; }
cp "$COMPILED/cli-busy.c.gcc" busy
winnow record -o t.winnow ./busy > sum 2>&1
export TERM=xterm NO_COLOR=1 WINNOW_PAGER='' COLUMNS=80
# on_terminal COMMAND: writes its output, split where a line is written over, to `shown`, and what stays to `stays`
on_terminal() {
	script -qec "$1" /dev/null < /dev/null | tr -d '\r' | sed 's/\x1b\[K/\n/g' > shown
	grep -v '^winnow [a-z]*: .*, [0-9]* s$' shown | sed '/^$/d' > stays
}
steps() {
	sed -n 's/^winnow [a-z]*: [^:]*: \(.*\), [0-9]* s$/\1/p' shown | uniq
}
for verb in report tree check view; do
	winnow $verb t.winnow | sed '/^$/d' > piped
	WINNOW_PROGRESS=0 on_terminal "winnow $verb t.winnow"
	echo "$verb: $(steps | paste -sd ';')"
	sort piped > a
	sort stays | cmp - a || diff a stays
done
WINNOW_PROGRESS=0 on_terminal "winnow record -o u.winnow ./busy"
steps
# messages erase it
WINNOW_PROGRESS=0 on_terminal "winnow report none.winnow"
cat stays
# what is faster than the delay shows nothing, and neither does never, a dumb terminal, or a pipe
for setting in WINNOW_PROGRESS=60 WINNOW_PROGRESS=never 'WINNOW_PROGRESS=0 TERM=dumb'; do
	on_terminal "env $setting winnow check t.winnow"
	steps
done
WINNOW_PROGRESS=0 on_terminal "winnow check t.winnow 2>&1 | cat"
steps
#= stdout
#| report: reading;building the grain graph;computing metrics;looking up source lines;finding problems
#| tree: reading;building the grain graph;computing metrics;folding the graph
#| check: reading
#| view: reading;building the grain graph;computing metrics;looking up source lines;finding problems;writing the page;writing
#| finishing the recording
#| finishing the recording, 1 of 1
#| winnow report: none.winnow: cannot open: No such file or directory

#: widths
# every text fits 80 columns and avoids the words that the field does not use; reports in a pipe, too
cp "$COMPILED/cli-omp.c.gcc" omp
cp "$COMPILED/cli-busy.c.gcc" busy
cp "$COMPILED/cli-scaled.c.gcc" scaled
unset COLUMNS
winnow record -o omp.winnow ./omp > sum 2>&1
winnow record -o busy.winnow ./busy > sum 2>&1
OMP_NUM_THREADS=8 winnow record -o wide.winnow ./omp > sum 2>&1
winnow record --threads 1,2 --repeat 2 -o series ./scaled > sum 2>&1
head -c "$(($(wc -c < busy.winnow) / 2))" busy.winnow > cut.winnow
tables=$PROGRAMS/../../import/tables
# try COMMAND...: what it prints into a pipe
try() {
	n=$((n + 1))
	"$@" > "text.$n" 2> talk || true
	[ -s "text.$n" ] || echo "$*: prints nothing"
	awk -v command="$*" 'length($0) > 80 { print command ": " length($0) ": " $0 }' "text.$n"
}
n=0
try winnow --help
for verb in $(winnow --help | sed -n '/^verbs:/,/^$/s/^  \([a-z+]*\) .*/\1/p'); do
	try winnow help "$verb"
done
for trace in omp.winnow busy.winnow wide.winnow; do
	try winnow report "$trace"
	try winnow report -v "$trace"
	try winnow report --raw -v "$trace"
	try winnow report --theta "$trace"
	try winnow report --show places "$trace"
	try winnow tree "$trace"
	try winnow tree --depth 6 "$trace"
	try winnow predict "$trace" --threads 1,2,4
	try winnow similar "$trace"
	COLUMNS=80 try winnow check "$trace" # in a pipe, programs read its lines
done
try winnow report cut.winnow
try winnow report series
try winnow report -v series
try winnow diff omp.winnow busy.winnow
try winnow diff busy.winnow busy.winnow
COLUMNS=80 try winnow doctor
COLUMNS=80 try winnow doctor ./busy
try winnow characterize omp.winnow busy.winnow series/t1-r1.winnow series/t2-r1.winnow
"$PROGRAMS/../../../tools/check-words.sh" "$PROGRAMS/../../.." text.* | grep -A 5 '^not ok' || test "$n" -ge 42
