#: shells
# bash, zsh and fish complete verbs, options, their words, files and programs, typed in a terminal
command -v python3 > /dev/null || { echo "python3 is missing"; exit 77; }
touch prog.winnow
cp /bin/true solver
cat > keys << 'END'
winnow rep<T> => winnow report 
winnow help simi<T> => winnow help similar 
winnow report --grou<T> => winnow report --group
winnow report --format sar<T> => winnow report --format sarif 
winnow report --format=gi<T> => winnow report --format=github 
winnow report -f qu<T> => winnow report -f quickfix 
winnow report pro<T> => winnow report prog.winnow
winnow run ./sol<T> => winnow run ./solver 
winnow run -o x ./sol<T> => winnow run -o x ./solver 
END
tried=0
for shell in bash zsh fish; do
	command -v $shell > /dev/null || continue
	tried=$((tried + 1))
	HOME=$PWD "$PROGRAMS/../type_keys.py" $shell "$PROGRAMS/../../../completions" < keys > out || true
	[ "$(grep -c ': completed$' out)" = "$(wc -l < keys)" ] || { echo "$shell:"; grep -v ': completed$' out; }
done
[ $tried -gt 0 ] || { echo "no shell"; exit 77; }
