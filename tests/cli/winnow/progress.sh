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
