# a script that starts nothing with OpenMP: says so
printf '#!/bin/sh\necho from a script\n' > script
chmod +x script
winnow record ./script
