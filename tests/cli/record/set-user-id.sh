# a program that changes its user: says that the loader keeps the recorder out
[ "$(id -u)" -eq 0 ] || { echo "needs root"; exit 77; }
cp "$COMPILED/cli-serial.c.gcc-fno-openmp" serial
chown 65534 serial
chmod 4755 serial
chmod 755 .
winnow record ./serial > /dev/null
#= stderr glob
#| winnow record: nothing recorded: it runs with another user's rights *
