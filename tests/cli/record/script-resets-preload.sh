# a script that resets LD_PRELOAD is found out, with the line
printf '#!/bin/sh\n# LD_PRELOAD= in a remark\nLD_PRELOAD= ; export LD_PRELOAD\necho ran\n' > script
chmod +x script
winnow record ./script
#= stdout
#| ran
#= stderr glob
#| winnow record: nothing recorded: line 3 of the script sets LD_PRELOAD itself, *
