# Entities are refused
printf '<!DOCTYPE x [<!ENTITY a "b">]><graphml/>' > in.csv
winnow import --quiet in.csv -o out.winnow
#= exit 1
#= stderr
#| winnow import: in.csv:1: a document type declaration, which no grain graph has; nothing imported
