# a folder is no program
mkdir folder
winnow record ./folder
#= exit 2
#= stderr
#| winnow record: ./folder: is a folder
