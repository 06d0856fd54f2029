# a script without a first line is run by sh
echo 'echo "ran $1"' > script
chmod +x script
winnow record ./script it
#= stdout
#| ran it
#= stderr glob
#| winnow record: nothing recorded: it is a shell script, *
