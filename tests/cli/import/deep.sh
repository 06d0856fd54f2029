# So is XML that is deep
awk 'BEGIN { printf "<graphml>"; for (i = 0; i < 200000; i++) printf "<a>" }' > in.csv
winnow import --quiet in.csv -o out.winnow
