# doctor for a missing program is a usage error
winnow doctor ./nothing > /dev/null
