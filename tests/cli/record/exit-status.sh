# the program's exit status passes through
winnow record sh -c 'exit 77; :' 2> /dev/null || echo "status $?"
#= stdout
#| status 77
