# Groups that are none, and what is of the whole run only
"$MAKE_TRACE" loop > loop.winnow
for options in "--group P0.t9/F0" "--group P0.t0/F0 --theta" "--group P0.t0/F0 --fail-if advice<4"; do
	status=0
	# shellcheck disable=SC2086
	winnow report loop.winnow $options || status=$?
	echo "$status"
done
#= stdout
#| 2
#| 2
#| 2
#= stderr
#| winnow report: no grain is called 'P0.t9'; the root is R/F0
#| winnow report: --group: --theta is about the whole run
#| winnow report: --fail-if 'advice<4': column 1: unknown name 'advice'
