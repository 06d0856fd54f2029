# the exit status is known although SIGCHLD is ignored
trap '' CHLD
winnow record sh -c 'exit 9' 2> /dev/null
#= exit 9
