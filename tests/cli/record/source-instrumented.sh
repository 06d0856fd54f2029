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
