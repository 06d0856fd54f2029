# XML that is no GraphML is refused
printf '<html><body/></html>' > in.csv
winnow import --quiet in.csv -o out.winnow
