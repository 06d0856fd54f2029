# A full disk is a failure, said once
test -w /dev/full || { echo "/dev/full is missing"; exit 77; }
"$MAKE_TRACE" loop > loop.winnow
status=0
winnow report loop.winnow > /dev/full || status=$?
winnow report --json loop.winnow > /dev/full || status=$status$?
echo $status
#= stdout
#| 11
#= stderr
#| winnow report: standard output: No space left on device
#| winnow report: standard output: No space left on device
