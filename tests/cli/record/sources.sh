#: source
# --source chooses by what a program is recorded, and names are checked before it starts
cp "$COMPILED/cli-omp.c.gcc" omp
winnow record --source libgomp ./omp
winnow record --source auto -o auto.winnow ./omp
winnow record --source gomp ./omp || echo "status $?"
winnow record --source ompt ./omp || echo "status $?"
winnow run --source=pomp2 ./omp || echo "status $?"
#= stdout
#| sum 55
#| sum 55
#| status 2
#| status 2
#| status 2
#= stderr glob
#| winnow record: omp.winnow: *, libgomp by wrapping, complete*
#| winnow record: auto.winnow: *, libgomp by wrapping, complete*
#| winnow record: option '--source': 'gomp' is not auto, ompt, ompt-grain, libgomp or pomp2; see winnow help record
#| winnow record: ./omp: cannot be recorded by ompt: it links libgomp, which has no OMPT
#| winnow run: ./omp: cannot be recorded by pomp2: it is not instrumented; compile it with 'winnow cc --opari'
#: source-instrumented
# an instrumented program is recorded by its instrumentation, or by its runtime if asked for
command -v opari2 > /dev/null || { echo "opari2 is missing"; exit 77; }
winnow cc --opari -- gcc -fopenmp -o omp "$PROGRAMS/omp.c"
winnow record ./omp
winnow record --source libgomp ./omp
WINNOW_SOURCE=libgomp winnow record --source pomp2 ./omp
WINNOW_SOURCE=libgomp winnow record --source auto ./omp
#= stdout
#| sum 55
#| sum 55
#| sum 55
#| sum 55
#= stderr glob
#| winnow record: omp.winnow: *, OPARI2 instrumentation, complete*
#| winnow record: omp.winnow: *, libgomp by wrapping, complete*
#| winnow record: omp.winnow: *, OPARI2 instrumentation, complete*
#| winnow record: omp.winnow: *, OPARI2 instrumentation, complete*
#: source-late
# a source that nothing is shown to: the program runs, and the line at the end says so
cp "$COMPILED/cli-serial.c.gcc-fno-openmp" serial
winnow record --source ompt ./serial
#= stdout
#| serial
#= stderr
#| winnow record: nothing recorded: no process reported anything by ompt, which --source asks for
#: source-static
# a static program is not started where --source asks for what it cannot give
gcc -static -o serial "$PROGRAMS/serial.c" 2> /dev/null || { echo "no static libc"; exit 77; }
winnow record --source pomp2 ./serial
#= exit 2
#= stderr
#| winnow record: ./serial: cannot be recorded by pomp2: it is statically linked: no library can be loaded into it; link it dynamically
#: younger-gcc
# what a younger gcc calls: taskwait depend nowait is a task; an unknown entry point is named in the report
cat > younger.c <<'C'
/* gcc 13's libgomp in small: an empty task that waits for nobody but others wait for */
void GOMP_task(void (*)(void *), void *, void (*)(void *, void *), long, long, _Bool, unsigned,
               void **, int, void *);
static void nothing(void *block) { (void)block; }
void GOMP_taskwait_depend_nowait(void **depend)
{
	GOMP_task(nothing, "", 0, 0, 1, 1, 8, depend, 0, 0);
}
int GOMP_of_the_future(int x) { return x; }
C
cat > program.c <<'C'
#include <stdint.h>
#include <stdio.h>
void GOMP_taskwait_depend_nowait(void **depend);
int GOMP_of_the_future(int x);
int main(void)
{
	int x = 0, y = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
	{
#pragma omp task shared(x) depend(out : x)
		x = GOMP_of_the_future(1);
		/* taskwait depend(in: x) depend(out: y) nowait */
		void *depend[] = {(void *)(uintptr_t)2, (void *)(uintptr_t)1, &y, &x};
		GOMP_taskwait_depend_nowait(depend);
#pragma omp task shared(x) depend(in : y)
		x++;
	}
	printf("%d\n", x);
}
C
gcc -shared -fPIC -O1 -o libyounger.so younger.c -lgomp
gcc -g -fopenmp -o program program.c ./libyounger.so
./program
winnow record -o t ./program 2> talk.txt
winnow check --quiet t
winnow report --json t | jq -c '[.graph.explicit_tasks, .graph.dependences], (.fidelity[] | select(.construct == "runtime") | .note)'
#= stdout
#| 2
#| 2
#| [3,2]
#| "GOMP_of_the_future, imported by the program, is an entry point that this version of Winnow does not know: threads may wait or create tasks there unrecorded: no verdict and no findings"
