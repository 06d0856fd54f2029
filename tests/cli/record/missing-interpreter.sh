# a script whose interpreter is missing is a usage error
printf '#!/no/such/interpreter\n' > script
chmod +x script
winnow record ./script
