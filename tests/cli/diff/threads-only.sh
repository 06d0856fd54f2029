# --threads-only refuses what differs in more
"$MAKE_TRACE" loop > a.winnow
"$MAKE_TRACE" tasks > b.winnow
winnow diff --threads-only a.winnow a.winnow > /dev/null
winnow diff --threads-only a.winnow b.winnow
#= exit 1
#= stderr glob
#| winnow diff: a.winnow and b.winnow: * differs; --threads-only compares nothing else
