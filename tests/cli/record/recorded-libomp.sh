# a program on libomp is recorded by OMPT
$CLANG -fopenmp -o omp "$PROGRAMS/omp.c" 2> /dev/null || { echo "no clang with libomp"; exit 77; }
winnow record -o t ./omp
#= stdout
#| sum 55
#= stderr glob
#| winnow record: t: * kB*, * grains, libomp by OMPT, complete*
