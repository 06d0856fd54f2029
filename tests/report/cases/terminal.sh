#: pager
# On a terminal the report goes through WINNOW_PAGER, then PAGER, then less; not elsewhere, and not with --no-pager
command -v script > /dev/null || { echo "script is missing"; exit 77; }
"$MAKE_TRACE" loop > loop.winnow
unset PAGER WINNOW_PAGER LESS
export NO_COLOR=1
winnow report loop.winnow > plain
# on_terminal COMMAND: its output there, with how many of its lines a pager has marked
on_terminal() {
	script -qec "$1; echo status \$?" /dev/null < /dev/null | tr -d '\r' > out
	echo "$(grep -c '^own ' out) $(grep -c '^any ' out) $(grep '^status' out)"
}
n=$(wc -l < plain)
test "$n" -gt 10
{
	WINNOW_PAGER="sed 's/^/own /'" PAGER="sed 's/^/any /'" on_terminal "winnow report loop.winnow"
	PAGER="sed 's/^/any /'" on_terminal "winnow report loop.winnow"
	WINNOW_PAGER='' PAGER="sed 's/^/any /'" on_terminal "winnow report loop.winnow"
	WINNOW_PAGER=cat PAGER="sed 's/^/any /'" on_terminal "winnow report loop.winnow"
	PAGER=no-such-pager on_terminal "winnow report loop.winnow"
	PAGER="sed 's/^/any /'" on_terminal "winnow report --no-pager loop.winnow"
	PAGER="sed 's/^/any /'" on_terminal "winnow --no-pager report loop.winnow"
	PAGER="sed 's/^/any /'" on_terminal "winnow report loop.winnow | cat"
} | sed "s/\\b$n\\b/ALL/g"
# messages go through it, too, and the status is the report's
PAGER="sed 's/^/any /'" on_terminal "winnow report --fail-if 'threads > 0' loop.winnow" | sed "s/\\b$((n + 1))\\b/ALL/g"
# a user's LESS stays
PAGER='echo "any $LESS"; cat' on_terminal "winnow report loop.winnow" > counts
grep '^any' out
LESS=S PAGER='echo "any $LESS"; cat' on_terminal "winnow report loop.winnow" > counts
grep '^any' out
# the user may leave before the end
PAGER='head -n 1' on_terminal "winnow report -v loop.winnow" > counts
test "$(grep -v status out)" = "$(winnow report -v loop.winnow | head -n 1)"
#= stdout
#| ALL 0 status 0
#| 0 ALL status 0
#| 0 0 status 0
#| 0 0 status 0
#| 0 0 status 0
#| 0 0 status 0
#| 0 0 status 0
#| 0 0 status 0
#| 0 ALL status 4
#| any FRX
#| any S
#: less
# less prints a report that fits the screen at once, and waits for its user where it does not
command -v less > /dev/null || { echo "less is missing"; exit 77; }
command -v script > /dev/null || { echo "script is missing"; exit 77; }
"$MAKE_TRACE" loop > loop.winnow
unset PAGER WINNOW_PAGER LESS
export TERM=xterm NO_COLOR=1
script -qec "stty rows 60 cols 100; winnow report loop.winnow; echo status \$?" /dev/null < /dev/null | tr -d '\r' > out
grep -c '^Where the time went' out
grep -o 'status 0' out
mkfifo keys
script -qec "stty rows 12 cols 100; winnow report loop.winnow; echo status \$?" /dev/null < keys > out &
exec 9> keys
until grep -q 'Where the time went' out; do sleep 0.1; done
grep -c 'status' out || true
printf q >&9
wait
grep -o 'status 0' out
#= stdout
#| 1
#| status 0
#| 0
#| status 0
#: verdict-last
# On a terminal the verdict is the last line, and of all sections, too; the screen is not longer
command -v script > /dev/null || { echo "script is missing"; exit 77; }
"$MAKE_TRACE" loop > loop.winnow
export NO_COLOR=1 COLUMNS=80
winnow report loop.winnow | grep -A 1 '^Worst' > verdict
for option in '' -v; do
	winnow report $option loop.winnow > piped
	script -qec "winnow report --no-pager $option loop.winnow" /dev/null | tr -d '\r' > typed
	tail -n 2 typed | cmp - verdict
	tail -n 2 piped | cmp -s - verdict || echo "piped: it comes first"
	echo "$(grep -c '^Worst' piped) $(grep -c '^Worst' typed)"
	[ "$option" = -v ] || test "$(wc -l < typed)" -le 24
done
#= stdout
#| piped: it comes first
#| 1 1
#| piped: it comes first
#| 1 2
