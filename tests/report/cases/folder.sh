# A folder is refused
mkdir folder
winnow report folder
#= exit 1
#= stderr glob
#| winnow report: folder: not a regular file*
