# SIGTERM, SIGHUP, SIGUSR1 and SIGUSR2 sent to winnow reach the program
cat > child <<'EOF'
#!/bin/sh
for name in TERM HUP USR1 USR2; do
	trap "echo $name" "$name"
done
for name in TERM HUP USR1 USR2; do
	kill -"$name" "$PPID"
	sleep 0.1
done
exit 6
EOF
chmod +x child
winnow record ./child 2> /dev/null
