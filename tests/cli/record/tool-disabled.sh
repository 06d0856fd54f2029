# OMP_TOOL=disabled stays as the user set it, and is named as the reason
clang-14 -fopenmp -o omp "$PROGRAMS/omp.c" 2> /dev/null || { echo "no clang-14 with libomp"; exit 77; }
OMP_TOOL=disabled winnow record ./omp
#= stdout
#| sum 55
#= stderr glob
#| winnow record: nothing recorded: OMP_TOOL=disabled is set, *
