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
#| winnow record: --source: gomp is no source: auto, ompt, ompt-grain, libgomp, pomp2
#| winnow record: ./omp: cannot be recorded by ompt: it links libgomp, which has no OMPT
#| winnow run: ./omp: cannot be recorded by pomp2: it is not instrumented; compile it with 'winnow cc --opari'
