# Two runs as text
"$MAKE_TRACE" loop > a.winnow
"$MAKE_TRACE" tasks > b.winnow
winnow diff a.winnow b.winnow
