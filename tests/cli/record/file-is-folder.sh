# a folder is not overwritten
mkdir folder
winnow record -o folder echo ran
#= exit 2
#= stderr
#| winnow record: folder: is a folder
