# Entities are refused
printf '<!DOCTYPE x [<!ENTITY a "b">]><graphml/>' > in.csv
winnow import --quiet in.csv -o out.winnow
