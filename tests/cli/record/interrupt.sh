# an interrupt ends the program, not winnow
winnow record sh -c 'kill -INT $PPID; kill -QUIT $PPID; exit 5' 2> /dev/null
#= exit 5
