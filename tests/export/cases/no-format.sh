# Without a format and without an ending that tells it there is nothing to do
"$MAKE_RUN" tree > tree.winnow
winnow export tree.winnow
#= exit 2
#= stderr
#| winnow export: which format? --format; there are graphml, dot, svg, taskgraph, csv, gexf, plain, bare, nodes, edges, mir-csv, profile, contribution
