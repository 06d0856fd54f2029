#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""grains-text.py RUN.GRAINS - prints the page's data (src/grains/format.h) as JSON: the index, and of
each block of a column its size and the checksum of its content, so that two files can be compared."""
import json
import os
import re
import struct
import sys
import zlib

HEAD = struct.Struct('<8sHHIQQIIIIQIIIIIIIIQQQII')
PART = struct.Struct('<BBHIQII6IIIIIQQ')
BLOCK = struct.Struct('<HBBBBHII')
PART_KINDS = ['none', 'tier', 'sites', 'threads', 'chunks', 'loops', 'regions', 'chunk', 'gates', 'above']


def column_names():
    """Numbers of columns to names, as far as columns.def is here."""
    path = os.path.join(os.path.dirname(os.path.realpath(__file__)), '../src/grains/columns.def')
    if not os.path.exists(path):
        return {}
    with open(path, encoding='utf-8') as file:
        found = re.findall(r'WN_GRAINS_COLUMN\((\d+), \w+, "(\w+)"', file.read())
    return {int(number): name for number, name in found}


def inflate(data, at, size):
    return zlib.decompress(data[at:at + size], -15) if size else b''


def describe(data):
    (_, major, minor, _, _, index_at, index_bytes, _, _, _, directory_at, directory_bytes, _, _, n_parts,
     n_nodes, n_grains, _, n_blocks, _, left_out_bytes, _, _, _) = HEAD.unpack_from(data)
    directory = inflate(data, directory_at, directory_bytes)
    names = column_names()
    block_at = n_parts * PART.size
    parts = []
    for number in range(n_parts):
        part = PART.unpack_from(directory, number * PART.size)
        blocks = {}
        for _ in range(part[6]):
            column, _, width, code, state, _, _, crc = BLOCK.unpack_from(directory, block_at)
            blocks[names.get(column, str(column))] = 'width %d code %d state %d crc %08x' % (width, code, state, crc)
            block_at += BLOCK.size
        parts.append({'kind': PART_KINDS[part[0]] if part[0] < len(PART_KINDS) else part[0], 'flags': part[1],
                      'number': part[3], 'rows': part[7:13], 'nodes': part[13:17], 'times_ns': part[17:19],
                      'columns': blocks})
    return {'version': [major, minor], 'nodes': n_nodes, 'grains': n_grains, 'blocks': n_blocks,
            'left_out_bytes': left_out_bytes, 'index': json.loads(inflate(data, index_at, index_bytes)),
            'parts': parts}


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with open(sys.argv[1], 'rb') as file:
        json.dump(describe(file.read()), sys.stdout, indent=1)


main()
