# An empty file is refused
: > in.csv
winnow import --quiet in.csv -o out.winnow
#= exit 1
#= stderr
#| winnow import: in.csv: the file is empty; nothing imported
