# What is no text is refused
printf '\211PNG\000\001,\n' > in.csv
winnow import --quiet in.csv -o out.winnow
