# a program killed by signal n gives 128 + n
winnow record sh -c 'kill -9 $$' 2> /dev/null || echo "status $?"
winnow record sh -c 'kill -TERM $$' 2> /dev/null || echo "status $?"
#= stdout
#| status 137
#| status 143
