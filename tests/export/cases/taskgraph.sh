# --format taskgraph: circles of as much area as grains weigh, the same bytes each time
for run in tree loop hostile depend; do
	"$MAKE_RUN" $run > $run.winnow 2> /dev/null || continue
	winnow export $run.winnow --format taskgraph -o $run.svg
	winnow export $run.winnow --format taskgraph | cmp - $run.svg
	xmllint --noout $run.svg
	echo "$run: $(grep -c '<circle class="t' $run.svg) circles, $(grep -c '<path class="[fj]' $run.svg) forks and joins, $(sed -n '/e critical/,/<.g>/p' $run.svg | grep -c '<path') red edges"
done
winnow export tree.winnow --format taskgraph
winnow export tree.winnow --format taskgraph --weight time | sed -n 's/.*\(<text.*5 grains.*\)/\1/p'
winnow export tree.winnow --format taskgraph --max-nodes 10 | grep -c '<circle class="r'
winnow export tree.winnow --format taskgraph --form fragments || echo $?
#= stdout
#| tree: 11 circles, 8 forks and joins, 10 red edges
#| loop: 15 circles, 12 forks and joins, 10 red edges
#| hostile: 11 circles, 8 forks and joins, 10 red edges
#| depend: 12 circles, 6 forks and joins, 10 red edges
#| <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 780 794" width="780" height="794">
#| <style>text{font-family:-apple-system,'Segoe UI',Helvetica,Arial,sans-serif;fill:#1f2933}.e path{fill:none;stroke-width:1.1}.create path{stroke:#2E8B57}.sync path{stroke:#FF7F50}.continue path,.scope path{stroke:#52606d}.rogue{stroke-dasharray:2 3}.depend path{stroke:#7B4FB5;stroke-dasharray:5 3}.d{fill:#7B4FB5}.dc{fill:#7B4FB5;stroke:#E00000;stroke-width:1.6}.critical path,path.critical{stroke:#E00000;stroke-width:2.4}.g rect{stroke:#3e4c59;stroke-width:.8}.g .c{stroke:#E00000;stroke-width:2.4}.f{fill:#2E8B57}.j{fill:#FF7F50}.s{fill:#DEB887;stroke:#3e4c59;stroke-width:.8}.fc,.jc{stroke:#E00000;stroke-width:1.6}.fc{fill:#2E8B57}.jc{fill:#FF7F50}</style>
#| <style>.t{stroke:#3e4c59;stroke-width:.8}.r{fill:none;stroke:#3e4c59;stroke-width:.8}.w{stroke-dasharray:3 2}</style>
#| <rect width="100%" height="100%" fill="#ffffff"/>
#| <text x="24" y="40" font-size="19" font-weight="600">./fake 10</text>
#| <text x="24" y="64" font-size="15" text-anchor="start">5 grains by work: 11.8 µs, span 6.9 µs, exposed parallelism 1.71</text>
#| <rect x="24" y="81" width="20" height="16" rx="3" fill="#8FB4D9" stroke="#3e4c59" stroke-width=".8"/><text x="54" y="94" font-size="15" text-anchor="start">0x1000</text><text x="380" y="94" font-size="15" text-anchor="end">1 implicit task</text><text x="470" y="94" font-size="15" text-anchor="end">1.0 µs</text>
#| <rect x="24" y="105" width="20" height="16" rx="3" fill="#F2D479" stroke="#3e4c59" stroke-width=".8"/><text x="54" y="118" font-size="15" text-anchor="start">0x3000</text><text x="380" y="118" font-size="15" text-anchor="end">3 grains</text><text x="470" y="118" font-size="15" text-anchor="end">7.9 µs</text>
#| <rect x="24" y="129" width="20" height="16" rx="3" fill="#B79BC9" stroke="#3e4c59" stroke-width=".8"/><text x="54" y="142" font-size="15" text-anchor="start">0x3010</text><text x="380" y="142" font-size="15" text-anchor="end">2 grains</text><text x="470" y="142" font-size="15" text-anchor="end">2.7 µs</text>
#| <path class="f" d="M34 160l5.5 10h-11z"/>
#| <path class="j" d="M104 160m-5.5 0h11l-5.5 10z"/>
#| <path class="critical" d="M168 165h28"/>
#| <text x="46" y="170" font-size="15" text-anchor="start">fork</text><text x="116" y="170" font-size="15" text-anchor="start">join</text><text x="203" y="170" font-size="15" text-anchor="start">critical path</text><circle class="t w" cx="327" cy="165" r="7.0" fill="#ffffff"/>
#| <text x="342" y="170" font-size="15" text-anchor="start">a thread's own part of a region</text>
#| <g class="e create"><path class="rogue" d="M28 189h34"/></g><text x="70" y="194" font-size="15" text-anchor="start">from its creator, which did not wait for it</text>
#| <circle class="t" cx="56" cy="245" r="32.9" fill="#ffffff"/>
#| <text x="96" y="250" font-size="15" text-anchor="start">5.0 µs</text>
#| <circle class="t" cx="188" cy="245" r="14.7" fill="#ffffff"/>
#| <text x="210" y="250" font-size="15" text-anchor="start">1.0 µs</text>
#| <circle class="t" cx="294" cy="245" r="6.6" fill="#ffffff"/>
#| <text x="308" y="250" font-size="15" text-anchor="start">200 ns</text>
#| <circle class="t" cx="381" cy="245" r="3.0" fill="#ffffff"/>
#| <text x="392" y="250" font-size="15" text-anchor="start">at most 41 ns</text>
#| <g class="e create">
#| <path d="M389 453C389 468 438 468 438 483"/>
#| <path d="M389 453C389 468 480 468 480 483"/>
#| <path class="rogue" d="M438 508C438 495 480 495 480 483"/>
#| <path d="M348 539C348 551 391 551 391 563"/>
#| </g>
#| <g class="e sync">
#| <path d="M438 508V669C438 684 389 684 389 699"/>
#| <path d="M480 513V669C480 684 389 684 389 699"/>
#| <path d="M391 605V635C391 647 348 647 348 659"/>
#| </g>
#| <g class="e continue">
#| </g>
#| <g class="e scope">
#| </g>
#| <g class="e depend">
#| </g>
#| <g class="e critical">
#| <path d="M389 377V395"/>
#| <path d="M389 453C389 468 348 468 348 483"/>
#| <path d="M348 539C348 551 320 551 320 563"/>
#| </g>
#| <g class="e critical">
#| <path d="M320 635C320 647 348 647 348 659"/>
#| </g>
#| <g class="e critical">
#| <path d="M389 737V755"/>
#| <path d="M389 709V727"/>
#| <path d="M348 669C348 684 389 684 389 699"/>
#| </g>
#| <g class="e critical">
#| <path d="M389 349V367"/>
#| <path d="M389 425V443"/>
#| <path d="M348 511V529"/>
#| </g>
#| <g class="e critical">
#| </g>
#| <g class="g">
#| <rect class="s" x="382" y="334" width="15" height="15" rx="2"/><text x="389" y="345" font-size="10" text-anchor="middle">S</text>
#| <path class="fc" d="M389 367l5.5 10h-11z"/>
#| <path class="jc" d="M389 727m-5.5 0h11l-5.5 10z"/>
#| <circle class="t w c" cx="389" cy="410" r="14.7" fill="#8FB4D9"><title>implicit 1 (P0.t0)
#| 0x1000
#| work 1.0 µs
#| thread 0</title></circle>
#| <path class="fc" d="M389 443l5.5 10h-11z"/>
#| <path class="jc" d="M389 699m-5.5 0h11l-5.5 10z"/>
#| <circle class="t c" cx="348" cy="497" r="13.9" fill="#F2D479"><title>task 2 (P0.s0.1)
#| 0x3000
#| work 900 ns
#| creation 200 ns
#| thread 0</title></circle>
#| <path class="fc" d="M348 529l5.5 10h-11z"/>
#| <path class="jc" d="M348 659m-5.5 0h11l-5.5 10z"/>
#| <circle class="t" cx="438" cy="495" r="12.3" fill="#B79BC9"><title>task 3 (P0.s0.2)
#| 0x3010
#| work 700 ns
#| creation 200 ns
#| thread 1</title></circle>
#| <circle class="t c" cx="320" cy="599" r="36.0" fill="#F2D479"><title>task 4 (P0.s0.1.1)
#| 0x3000
#| work 6.0 µs
#| creation 200 ns
#| thread 1</title></circle>
#| <circle class="t" cx="391" cy="584" r="20.8" fill="#B79BC9"><title>task 5 (P0.s0.1.2)
#| 0x3010
#| work 2.0 µs
#| creation 200 ns
#| thread 0</title></circle>
#| <circle class="t" cx="480" cy="498" r="14.7" fill="#F2D479"><title>task 8 (P0.s0.2.1)
#| 0x3000
#| work 1.0 µs
#| creation 200 ns
#| thread 1</title></circle>
#| <rect class="s" x="382" y="755" width="15" height="15" rx="2"/><text x="389" y="766" font-size="10" text-anchor="middle">E</text>
#| </g>
#| </svg>
#| <text x="24" y="64" font-size="15" text-anchor="start">5 grains by time: 12.8 µs, span 7.3 µs, exposed parallelism 1.75</text>
#| 1
#| 2
#= stderr
#| winnow export: taskgraph has no form fragments; use graphml or dot
