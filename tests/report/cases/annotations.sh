#: sarif
# SARIF of any recording obeys the standard and GitHub's rules
check=$PROGRAMS/../../report/check_sarif.py
command -v python3 > /dev/null || { echo "python3 is missing"; exit 77; }
for kind in loop tasks mutex faults hostile damaged producer; do
	"$MAKE_TRACE" $kind > t.winnow
	winnow report --format sarif t.winnow > log.json 2> talk || true
	python3 "$check" < log.json | sed "s/^/$kind: /"
done
jq -c '.runs[0].results | length > 0' log.json
# a checker that accepts all would not
for change in '.version = "2.0.0"' '.runs[0].color = 1' 'del(.runs[0].tool.driver.name)' '.runs[0].results[0].ruleIndex = 7' \
	'.runs[0].results[0].level = "bad"' 'del(.runs[0].results[0].message)' 'del(.runs[0].results[0].partialFingerprints)' \
	'.runs[0].results[0].rank = 101' 'del(.runs[0].tool.driver.rules[0].help)' '.runs[0].results += .runs[0].results' \
	'.runs[0].results[0].locations = [{}]'; do
	jq "$change" log.json | python3 "$check" > said && echo "accepted: $change"
	[ "$(wc -l < said)" -ge 1 ] || echo "not said: $change"
done
#= stdout
#| true
#: places
# Findings are at their lines, relative to the top of the repository, whatever the folder; in an editor's format to this folder
check=$PROGRAMS/../../report/check_sarif.py
command -v python3 > /dev/null || { echo "python3 is missing"; exit 77; }
mkdir -p repository/.git 'repository/src/a, b%' repository/build
cd repository/build
cat > '../src/a, b%/tiny.c' << 'END'
void spread(void)
{
#pragma omp parallel num_threads(2)
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
jq -c '.runs[0].results[0].locations[0].physicalLocation.artifactLocation' log.json
jq -c '.runs[0].results[0].locations[0] | [.physicalLocation.region.startLine >= 3, .logicalLocations[0].name]' log.json
jq -r '.runs[0].originalUriBaseIds.SRCROOT.uri' log.json | sed "s,$(cd .. && pwd),TOP,"
winnow report --format github tiny.winnow | head -n 1 | grep -o -E '^::(warning|notice) file=[^:]*,line=[0-9]+,title=[^:]*::' | sed 's/line=[0-9]*/line=N/; s/title=.*/title=TITLE::/; s/warning/LEVEL/; s/notice/LEVEL/'
winnow report --format github tiny.winnow | grep -c ' %[^2]' || true
winnow report --format quickfix tiny.winnow | head -n 1 | grep -c -E "^/.*/src/a, b%/tiny\.c:[0-9]+: (warning|note): [^:]+: "
(cd .. && winnow report --format quickfix build/tiny.winnow | head -n 1 | grep -c -E '^src/a, b%/tiny\.c:[0-9]+: ')
# the fingerprints are the same for another run, and after lines are added before
jq -c '[.runs[0].results[] | [.ruleId, .partialFingerprints]] | first' log.json > first
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
