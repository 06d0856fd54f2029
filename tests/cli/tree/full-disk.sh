# A full disk is told
"$MAKE_RUN" tree > tree.winnow
for form in --json --raw; do
	status=0
	winnow tree tree.winnow "$form" > /dev/full || status=$?
	echo "$status"
done
#= stdout
#| 1
#| 1
#= stderr
#| winnow tree: standard output: No space left on device
#| winnow tree: standard output: No space left on device
