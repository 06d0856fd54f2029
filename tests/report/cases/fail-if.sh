# A condition that holds is exit status 4, and said; one that does not is silent
"$MAKE_TRACE" loop > loop.winnow
winnow report loop.winnow --fail-if "chunks > 5" --fail-if "parallelism<2" > /dev/null
#= exit 4
#= stderr
#| winnow report: loop.winnow: --fail-if 'chunks > 5' holds: chunks is 6
