# a script whose interpreter is missing is a usage error
printf '#!/no/such/interpreter\n' > script
chmod +x script
winnow record ./script
#= exit 2
#= stderr
#| winnow record: ./script: cannot be started: No such file or directory (its interpreter)
