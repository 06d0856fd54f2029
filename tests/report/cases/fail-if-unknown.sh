# A number that no report has is a usage error, and nothing is printed
"$MAKE_TRACE" loop > loop.winnow
winnow report loop.winnow --fail-if "paralelism<4"
