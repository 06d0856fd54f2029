# the report follows the program's output; the status is the program's
cp "$COMPILED/cli-binary.c.gcc" binary
echo end | winnow run ./binary 2> talk | tr -d '\0' > out || true
grep -c '^winnow run: binary.winnow: .*, libgomp by wrapping, complete' talk
echo end | winnow run -o t ./binary > /dev/null 2> talk
#= exit 3
#= stdout
#| 1
