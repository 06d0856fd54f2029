# Folded graphs are refused
printf '<graphml><graph><node id="1"><graph/></node></graph></graphml>' > in.csv
winnow import --quiet in.csv -o out.winnow
