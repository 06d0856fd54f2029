#: closed-pipe
# A reader that goes away is no news
"$MAKE_TRACE" killed > killed.winnow
trap "" PIPE
for form in --color=never --json; do
	{
		sleep 0.2
		status=0
		winnow report "$form" killed.winnow || status=$?
		echo $status >&2
	} 2>> status | true
done
sort -u status
#= stdout
#| 1
#: full
# A full disk is a failure, said once
test -w /dev/full || { echo "/dev/full is missing"; exit 77; }
"$MAKE_TRACE" loop > loop.winnow
status=0
winnow report loop.winnow > /dev/full || status=$?
winnow report --json loop.winnow > /dev/full || status=$status$?
echo $status
#= stdout
#| 11
#= stderr
#| winnow report: standard output: No space left on device
#| winnow report: standard output: No space left on device
#: json
# --json prints one object that jq reads
command -v jq > /dev/null || { echo "jq is missing"; exit 77; }
"$MAKE_TRACE" loop > loop.winnow
winnow report --json loop.winnow | jq -c "[.schema, .program.command, .graph.chunks, .totals.creation_ns, .aggregate.groups]"
#= stdout
#| ["winnow.report/1",["./fake","--size","10"],6,0,5]
#: text
# The text names what costs most, and the made-up places by their addresses
"$MAKE_TRACE" loop > loop.winnow
winnow report loop.winnow | head -n 3
#= stdout
#| ./fake --size 10: 4.00 ms on 2 threads, 6 grains; 1.22 of 2 cores busy
#| Worst: load imbalance (loop) at 0x2000. Fixing it could save about 1.12 ms (35.7
#| % of the time; 951 us to 1.30 ms).

#: sarif
# SARIF of any recording obeys the standard and GitHub's rules
check=$PROGRAMS/../../report/check_sarif.py
command -v python3 > /dev/null || { echo "python3 is missing"; exit 77; }
# what the schema of OASIS, which a package of npm brings (viewer/package.json), has against a log
by_schema() {
	[ -d "$PROGRAMS/../../../viewer/node_modules/ajv" ] || return 0
	node -e '
		const { readFileSync } = require("fs"), [, packages, log] = process.argv, read = (path) => JSON.parse(readFileSync(path));
		const ajv = new (require(`${packages}/ajv`))({ schemaId: "auto", allErrors: true, unknownFormats: "ignore" });
		ajv.addMetaSchema(require(`${packages}/ajv/lib/refs/json-schema-draft-04.json`));
		ajv.validate(read(`${packages}/@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json`), read(log));
		for (const e of ajv.errors ?? []) console.log(`${e.dataPath} ${e.message}`);' "$PROGRAMS/../../../viewer/node_modules" "$1" 2>&1
}
for kind in loop tasks mutex faults hostile damaged producer; do
	"$MAKE_TRACE" $kind > t.winnow
	winnow report --format sarif t.winnow > $kind.json 2> talk || true
	by_schema $kind.json | sed "s/^/$kind: /"
done
python3 "$check" loop.json tasks.json mutex.json faults.json hostile.json damaged.json producer.json
mv producer.json log.json
jq '.runs[0].results[0].rank = "high"' log.json > wrong.json
packages=$PROGRAMS/../../../viewer/node_modules
[ ! -d "$packages/ajv" ] || by_schema wrong.json | grep -q 'rank.*should be number' || echo "the schema accepts a wrong rank"
jq -c '.runs[0].results | length > 0' log.json
# a checker that accepts all would not
i=0
for change in '.version = "2.0.0"' '.runs[0].color = 1' 'del(.runs[0].tool.driver.name)' '.runs[0].results[0].ruleIndex = 7' \
	'.runs[0].results[0].level = "bad"' 'del(.runs[0].results[0].message)' 'del(.runs[0].results[0].partialFingerprints)' \
	'.runs[0].results[0].rank = 101' 'del(.runs[0].tool.driver.rules[0].help)' '.runs[0].results += .runs[0].results' \
	'.runs[0].results[0].locations = [{}]'; do
	i=$((i + 1))
	jq "$change" log.json > changed.$i.json
done
python3 "$check" changed.*.json > said && echo "accepted: all"
cut -d : -f 1 said | sort -u | wc -l
#= stdout
#| true
#| 11
#: places
# Findings are at their lines, relative to the top of the repository, whatever the folder; in an editor's format to this folder
check=$PROGRAMS/../../report/check_sarif.py
command -v python3 > /dev/null || { echo "python3 is missing"; exit 77; }
mkdir -p repository/.git 'repository/src/a, b%' repository/build
cd repository/build
cat > '../src/a, b%/tiny.c' << 'END'
void spread(void)
{
#pragma omp parallel num_threads(1)
#pragma omp single
	for (int i = 0; i < 50000; i++)
#pragma omp task
		__asm__ volatile("");
}
int main(void)
{
	spread();
	return 0;
}
END
gcc -g -O1 -fopenmp -o tiny "$PWD/../src/a, b%/tiny.c"
winnow record ./tiny 2> talk
winnow report --format sarif tiny.winnow > log.json
python3 "$check" < log.json
# that the team has one thread is true however busy the machine is, which may add findings of its own, or leave out those
# that depend on times
jq -c '.runs[0].results[] | select(.ruleId == "teams_of_one")' log.json > found
jq -c '.locations[0].physicalLocation.artifactLocation' found
jq -c '.locations[0] | [.physicalLocation.region.startLine >= 3, .logicalLocations[0].name]' found
jq -r '.runs[0].originalUriBaseIds.SRCROOT.uri' log.json | sed "s,$(cd .. && pwd),TOP,"
winnow report --format github tiny.winnow | head -n 1 | grep -o -E '^::(warning|notice) file=[^:]*,line=[0-9]+,title=[^:]*::' | sed 's/line=[0-9]*/line=N/; s/title=.*/title=TITLE::/; s/warning/LEVEL/; s/notice/LEVEL/'
winnow report --format github tiny.winnow | grep -c ' %[^2]' || true
winnow report --format quickfix tiny.winnow | head -n 1 | grep -c -E "^/.*/src/a, b%/tiny\.c:[0-9]+: (warning|note): [^:]+: "
(cd .. && winnow report --format quickfix build/tiny.winnow | head -n 1 | grep -c -E '^src/a, b%/tiny\.c:[0-9]+: ')
# the fingerprints are the same for another run, and after lines are added before
jq -c '[.ruleId, .partialFingerprints]' found > first
sed -i '1i /* a line */' '../src/a, b%/tiny.c'
gcc -g -O1 -fopenmp -o tiny "$PWD/../src/a, b%/tiny.c"
winnow record ./tiny 2> talk
winnow report --format sarif tiny.winnow | jq -c '.runs[0].results[] | [.ruleId, .partialFingerprints]' | grep -c -F -x -f first
#= stdout
#| {"uri":"src/a%2C%20b%25/tiny.c","uriBaseId":"SRCROOT"}
#| [true,"spread"]
#| file://TOP/
#| ::LEVEL file=src/a%2C b%25/tiny.c,line=N,title=TITLE::
#| 0
#| 1
#| 1
#| 1
#: annotations-use
# Such formats are of one recording, and of a whole run
"$MAKE_TRACE" loop > loop.winnow
for words in '--format sarif loop.winnow loop.winnow' '--format github --group R/F0 loop.winnow' '--format sarf loop.winnow'; do
	winnow report $words || echo "$?"
done
winnow report --format json loop.winnow > a
winnow report --json loop.winnow | cmp - a
winnow report --format text loop.winnow > a
winnow report loop.winnow | cmp - a
winnow report --format github loop.winnow > /dev/full || echo "$?"
winnow report --format quickfix loop.winnow
#= stdout
#| 2
#| 2
#| 2
#| 1
#= stderr
#| winnow report: --format is about one recording, not a series
#| winnow report: --group: --format is about the whole run
#| winnow report: option '--format': unknown 'sarf'; did you mean 'sarif'?
#| winnow report: standard output: No space left on device

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
