# a script that starts nothing with OpenMP: says so
printf '#!/bin/sh\necho from a script\n' > script
chmod +x script
winnow record ./script
#= stdout
#| from a script
#= stderr glob
#| winnow record: nothing recorded: it is a shell script, and no process it started reported an OpenMP runtime *
