# A format that does not exist is a usage error
"$MAKE_RUN" tree > tree.winnow
winnow export tree.winnow --format png
#= exit 2
#= stderr
#| winnow export: unknown format 'png'; there are graphml, dot, svg, taskgraph, csv, gexf, plain, bare, nodes, edges, mir-csv, profile, contribution
