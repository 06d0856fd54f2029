# A program that was changed and built anew in its place keeps its places, also those without names
command -v jq > /dev/null || { echo "jq is missing"; exit 77; }
command -v gcc > /dev/null || { echo "gcc is missing"; exit 77; }
program() {
	cat > program.c <<-EOF
	#include <stdio.h>
	$1
	static double work(long n) { double x = 0; for (volatile long i = 0; i < n; i++) x += 1.0 / (double)(i + 1); return x; }
	int main(void)
	{
		double a = 0, b = 0;
	#pragma omp parallel num_threads(2)
	#pragma omp single
		for (int i = 0; i < 40; i++) {
	#pragma omp task shared(a)
			a = work(20000);
	#pragma omp task shared(b)
			b = work($2);
		}
		return a + b < 0;
	}
	EOF
	gcc -g -O1 -fopenmp program.c -o "$3" 2> /dev/null || { echo "no OpenMP"; exit 77; }
}
program "" 20000 first
winnow record -o first.winnow ./first 2> /dev/null
program "" 20000 program
winnow record -o a.winnow ./program 2> /dev/null
program "int more;
int lines;" 2000000 program
winnow record -o b.winnow ./program 2> /dev/null
winnow diff --json a.winnow b.winnow > diff.json
# the old file is gone: places are paired by their grains; the second task is a hundred times as long, which stays clear
# where others interrupt it, and the first is not
jq -r '.word, .differs.code, ([.sites[] | select(.kind == "task")] | length)' diff.json
jq -r '[.sites[] | select(.kind == "task") | [.a.line, .b.line, .paired_by, .grains[0], .grains[1], (.median_deviation > 3)]] | sort_by(.[1]) | .[] | @json' diff.json
jq -r '.problems[0].count >= 36, .structure.is_same' diff.json
# where it is still there, by name; then the file's name differs, and the code
winnow diff --json first.winnow b.winnow | jq -r '[.sites[] | select(.kind == "task") | [.a.line, .b.line, .paired_by]] | sort_by(.[1]) | .[] | @json'
#= stdout
#| regression
#| true
#| 2
#| [null,11,"grains",40,40,false]
#| [null,13,"grains",40,40,true]
#| true
#| true
#| [10,11,"moved"]
#| [12,13,"moved"]
