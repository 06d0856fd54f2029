# A number that no report has is a usage error, and nothing is printed
"$MAKE_TRACE" loop > loop.winnow
winnow report loop.winnow --fail-if "paralelism<4"
#= exit 2
#= stderr
#| winnow report: --fail-if 'paralelism<4': column 1: unknown name 'paralelism'; did you mean 'parallelism'?
