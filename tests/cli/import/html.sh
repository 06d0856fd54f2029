# XML that is no GraphML is refused
printf '<html><body/></html>' > in.csv
winnow import --quiet in.csv -o out.winnow
#= exit 1
#= stderr
#| winnow import: in.csv:1: this is XML, but no GraphML; nothing imported
