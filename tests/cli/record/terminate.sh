# SIGTERM, SIGHUP, SIGUSR1 and SIGUSR2 sent to winnow reach the program
cat > child <<'EOF'
#!/bin/sh
got=
for name in TERM HUP USR1 USR2; do
	trap "got=$name; echo $name" "$name"
done
for name in TERM HUP USR1 USR2; do
	kill -"$name" "$PPID"
	tries=0
	until [ "$got" = "$name" ] || [ "$tries" -gt 300 ]; do
		sleep 0.1
		tries=$((tries + 1))
	done
done
exit 6
EOF
chmod +x child
# under nohup, the shell could not trap what it inherits as ignored
env --default-signal=HUP winnow record ./child 2> /dev/null
#= exit 6
#= stdout
#| TERM
#| HUP
#| USR1
#| USR2
