# So is XML that is deep
awk 'BEGIN { printf "<graphml>"; for (i = 0; i < 200000; i++) printf "<a>" }' > in.csv
winnow import --quiet in.csv -o out.winnow
#= exit 1
#= stderr
#| winnow import: in.csv:1: elements inside more than 32 others: this is no flat graph; nothing imported
