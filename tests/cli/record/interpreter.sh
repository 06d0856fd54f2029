# another interpreter that opens no runtime is named
[ -x /usr/bin/awk ] || { echo "no awk"; exit 77; }
printf '#!/usr/bin/awk -f\nBEGIN { print "awk" }\n' > script
chmod +x script
winnow record ./script
#= stdout
#| awk
#= stderr glob
#| winnow record: nothing recorded: neither its interpreter /usr/bin/awk nor what that started reported an OpenMP runtime
