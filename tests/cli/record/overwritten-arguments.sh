# the command is that with which the program was started, whatever it does with its arguments
cp "$COMPILED/cli-arguments.c.gcc" arguments
long=$(printf '%020000d' 0)
show() {
	winnow report --json "$1" | tr -d '\n' | grep -o '"command": *\[[^]]*\]' | tr -s ' ' | cut -c 1-120
}
winnow record -o t ./arguments first '' 'a
line' '' 2> /dev/null
show t
winnow record -o t sh -c './arguments second; :' 2> /dev/null
show t
winnow record -o t ./arguments third "$long" 2> /dev/null
winnow dump t | grep '^argv' | cut -c 1-30
winnow dump t | grep '^argv' | tail -c 10
winnow record -o t --source libgomp ./arguments fourth 2> /dev/null
winnow dump t | grep '^argv'
#= stdout
#| "command": [ "./arguments", "first", "", "a\nline", "" ]
#| "command": [ "./arguments", "second" ]
#| argv ./arguments third 0000000
#| 000000…
#| argv ./arguments fourth
