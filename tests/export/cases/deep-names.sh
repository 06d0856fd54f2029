# Names of tasks that are nested deeply do not make tables grow with the square of the depth
command -v jq > /dev/null || { echo "jq is missing"; exit 77; }
cat > nest.c <<'END'
#include <stdlib.h>
static volatile int x;
static void go(int n) {
	x++;
	if (n) {
#pragma omp task
		go(n - 1);
	}
}
int main(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
	go(3000);
	return 0;
}
END
gcc -O1 -fopenmp nest.c -o nest
winnow record ./nest 2> /dev/null
winnow export nest.winnow -f csv -o nest.csv
[ "$(wc -c < nest.csv)" -lt 1500000 ] || echo "the table is large"
cut -d, -f2 nest.csv | sort | uniq -d
winnow diff nest.winnow nest.winnow -f csv -o both.csv
[ "$(wc -c < both.csv)" -lt 1500000 ] || echo "the table of both is large"
winnow export nest.winnow -f graphml --nested -o nest.graphml
[ "$(wc -c < nest.graphml)" -lt 15000000 ] || echo "the drawing is large"
winnow export nest.winnow -f csv --full-names -o whole.csv
[ "$(wc -c < whole.csv)" -gt 9000000 ] || echo "names are not whole"

# a shortened name is taken where names are, and means what the whole one does
line=$(cut -d, -f2 nest.csv | grep -nF '..#2000-' | cut -d: -f1)
name=$(cut -d, -f2 nest.csv | sed -n "${line}p")
whole=$(cut -d, -f2 whole.csv | sed -n "${line}p")
winnow report --json --group "$name" nest.winnow > short.json
winnow report --json --group "$whole" nest.winnow > whole.json
cmp short.json whole.json
for group in "" /J; do
	winnow diff --json --group "$name$group" nest.winnow nest.winnow | jq 'del(.part, .headline)' > short.json
	winnow diff --json --group "$whole$group" nest.winnow nest.winnow | jq 'del(.part, .headline)' > whole.json
	cmp short.json whole.json
	jq -e '.grains.matched < 3000' short.json > said || echo "more than what is inside $name$group"
done
winnow report --group "${name}x" nest.winnow 2> wrong && echo "a wrong name is taken"
grep -q "no grain is called '$name" wrong || cat wrong
#= stderr glob
#| winnow export: nest.winnow: names of more than 64 steps are shortened; with --full-names they take 9.? MB where each is written once
#| winnow diff: A: names of more than 64 steps are shortened; *
#| winnow diff: B: names of more than 64 steps are shortened; *
#| winnow export: nest.winnow: names of more than 64 steps are shortened; *
#| winnow export: nest.winnow: names of grains take 9.? MB where each is written once
