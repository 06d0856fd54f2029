# What is no text is refused
printf '\211PNG\000\001,\n' > in.csv
winnow import --quiet in.csv -o out.winnow
#= exit 1
#= stderr
#| winnow import: in.csv:1: a byte 0: this is no text; nothing imported
