# a program that SIGTERM ends gives 143
winnow record sh -c 'kill -TERM $PPID; while :; do sleep 0.05; done' 2> /dev/null
#= exit 143
