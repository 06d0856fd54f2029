# --group leaves out all that is not inside
"$MAKE_RUN" tree > tree.winnow
winnow export tree.winnow --format csv --group P0.s0.1/F0 | cut -d, -f1-4
winnow export tree.winnow --format dot --group P0.s0.1/F0 | grep "tooltip=\| -> "
winnow export tree.winnow --format graphml --group P0.s0.1/L | grep -c "<node\|<edge\|\"g4\">P0.s0.1/L<"
winnow export tree.winnow --format svg --group P0.s0.1/L | grep "only \|<svg"
winnow export tree.winnow --format graphml --nested --group P0.s0.1/L | grep "<node\|<edge\|\"g7\""
winnow export tree.winnow --format svg --folded --group P0.t0/F0 | grep "only "
winnow export tree.winnow --format dot --form fragments --group P0.s0.1/F0 | grep -c "\[shape"
#= stdout
#| # one line per grain; _ns: nanoseconds, begin and end since the start of the recording; create_instant and wait_instants: the parent's and the grain's own execution time; balances, benefit and parallelism: ratios; empty: not measured; only P0.s0.1/F0
#| id,lineage,kind,parent
#| 4,P0.s0.1.1,task,2
#| 5,P0.s0.1.2,task,2
#| 	graph [rankdir=TB, ordering=out, nodesep=0.12, ranksep=0.22, fontname="Helvetica", fontsize=11, bgcolor=white, tooltip="./fake 10: only P0.s0.1/F0"]
#| 	"4" [shape=box, width=0.417, height=4.167, fillcolor="#00FF4D", fontcolor="#000000", label="4", tooltip="P0.s0.1.1\ntask at 0x3000\nwork 6.0 µs, creation 200 ns", color="#FF0000", penwidth=1.6]
#| 	"5" [shape=box, width=0.417, height=0.417, fillcolor="#4D00FF", fontcolor="#FFFFFF", label="5", tooltip="P0.s0.1.2\ntask at 0x3010\nwork 2.0 µs, creation 200 ns"]
#| 	"f.2.0" -> "4" [color="#FF0000", penwidth=1.6, weight=4]
#| 	"4" -> "j.2.0" [color="#FF0000", penwidth=1.6, weight=4]
#| 	"f.2.0" -> "5" [color="#2E8B57"]
#| 	"5" -> "j.2.0" [color="#FF7F50"]
#| 11
#| <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 620 618" width="620" height="618">
#| <text x="24" y="64" font-size="15" text-anchor="start">only P0.s0.1/L: 3 grains, work 8.9 µs</text>
#|   <key for="graph" id="g7" attr.name="group" attr.type="string"/>
#|       <data key="g7">P0.s0.1/L</data>
#|     <node id="n1" yfiles.foldertype="folder">
#|     <node id="n1::n0">
#|     <node id="n1::n1" yfiles.foldertype="folder">
#|     <node id="n1::n1::n0">
#|     <node id="n1::n1::n1">
#|     <node id="n1::n1::n2">
#|     <node id="n1::n1::n3">
#|     <edge id="e0" source="n1::n0" target="n1::n1::n0">
#|     <edge id="e1" source="n1::n1::n0" target="n1::n1::n2">
#|     <edge id="e2" source="n1::n1::n2" target="n1::n1::n1">
#|     <edge id="e3" source="n1::n1::n0" target="n1::n1::n3">
#|     <edge id="e4" source="n1::n1::n3" target="n1::n1::n1">
#| <text x="24" y="64" font-size="15" text-anchor="start">only P0.t0/F0: 5 grains, work 10.6 µs, 2 with problems; 11 nodes in view</text>
#| 3
