# An empty file is refused
: > in.csv
winnow import --quiet in.csv -o out.winnow
