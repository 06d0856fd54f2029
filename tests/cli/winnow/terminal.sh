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
# every text fits 80 columns and avoids the words that the field does not use
cp "$COMPILED/cli-omp.c.gcc" omp
cp "$COMPILED/cli-busy.c.gcc" busy
cp "$COMPILED/cli-scaled.c.gcc" scaled
export COLUMNS=80
winnow record -o omp.winnow ./omp > sum 2>&1
winnow record -o busy.winnow ./busy > sum 2>&1
winnow record --threads 1,2 --repeat 2 -o series ./scaled > sum 2>&1
head -c "$(($(wc -c < busy.winnow) / 2))" busy.winnow > cut.winnow
tables=$PROGRAMS/../../import/tables
# try COMMAND...: what it prints to a terminal of 80 columns
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
for trace in omp.winnow busy.winnow; do
	try winnow report "$trace"
	try winnow report -v "$trace"
	try winnow report --raw -v "$trace"
	try winnow report --theta "$trace"
	try winnow tree "$trace"
	try winnow similar "$trace"
	try winnow check "$trace"
done
try winnow report cut.winnow
try winnow report series
try winnow report -v series
try winnow diff omp.winnow busy.winnow
try winnow diff busy.winnow busy.winnow
try winnow doctor
try winnow doctor ./busy
try winnow characterize omp.winnow busy.winnow series/t1-r1.winnow series/t2-r1.winnow
"$PROGRAMS/../../../tools/check-words.sh" "$PROGRAMS/../../.." text.* | grep -A 5 '^not ok' || test "$n" -ge 42
