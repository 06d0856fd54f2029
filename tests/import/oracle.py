#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
#
# oracle.py WINNOW [RUNS [FIRST]] - what the R prototype computes of a task table, computed slowly and straight
# from the table: graphs as explicit nodes and edges, longest paths by Bellman-Ford, metrics by their
# definitions over all rows. Compared with what winnow says of random tables. Prints TAP.
import csv
import io
import json
import math
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile

WINNOW = os.path.realpath(sys.argv[1])
RUNS = int(sys.argv[2]) if len(sys.argv) > 2 else 40
FIRST = int(sys.argv[3]) if len(sys.argv) > 3 else 1


# --- random tables ---

def make_tasks(rng):
    """A task program: rows in the order of tasks."""
    rows = []

    def add(parent, number, join, created):
        task = len(rows) + 1
        row = dict(task=task, parent=parent, child_number=number, joins_at=join,
                   create_instant=created, cpu_id=rng.randrange(rng.choice((1, 2, 4, 9))),
                   creation_cycles=rng.randrange(1, 60), queue_size=0, metadata='NA',
                   exec_end_instant=rng.randrange(1, 10**9))
        rows.append(row)
        return row

    queue = []
    for number in range(1, rng.choice((1, 1, 2)) + 1):
        queue.append(add(0, number, 0, 0))
    limit = rng.choice((1, 4, 12, 40))
    while queue:
        row = queue.pop(rng.randrange(len(queue)))
        groups = [rng.randrange(1, 5) for _ in range(rng.choice((0, 0, 1, 1, 2, 3)))] if len(rows) < limit else []
        n_breaks = sum(groups) + len(groups)
        exec_cycles = rng.randrange(n_breaks, rng.choice((50, 3000)) + n_breaks)
        # an instant may be that of the start (1), and several may fall together
        breaks = sorted(rng.randrange(1, exec_cycles + 2) for _ in range(n_breaks))
        waits, number = [], 0
        for join, size in enumerate(groups):
            for _ in range(size):
                number += 1
                queue.append(add(row['task'], number, join, breaks.pop(0)))
            waits.append(breaks.pop(0))
        row['exec_cycles'] = exec_cycles
        row['num_children'] = number
        row['overhead_cycles'] = rng.randrange(exec_cycles + 1) if rng.random() < 0.7 else 0
        row['wait_instants'] = '[' + ';'.join(['0'] + [str(t) for t in reversed(waits)]) + ']'
        row['tag'] = 'GOMP_parallel_task' if row['parent'] == 0 else '0x401%x' % rng.randrange(3)
        row['outline_function'] = 4198400 + rng.randrange(3)
    return rows


def make_loops(rng):
    """A program of loops: idle task, a team for each loop, chunks."""
    rows = []

    def add(parent, join, tag, metadata='NA', children=0):
        row = dict(task=len(rows) + 1, parent=parent, joins_at=join, tag=tag, metadata=metadata,
                   num_children=children, cpu_id=rng.randrange(4), exec_cycles=rng.randrange(100, 5000),
                   creation_cycles=rng.randrange(50), overhead_cycles=rng.randrange(100), queue_size=0,
                   create_instant=rng.randrange(1, 90), exec_end_instant=rng.randrange(10**6),
                   outline_function=4198400, wait_instants='[0;99]' if children else '[0]')
        row['child_number'] = 1 + sum(1 for r in rows if r['parent'] == parent)
        rows.append(row)
        return row['task']

    n_loops = rng.randrange(1, 4)
    idle = add(0, 0, 'idle_task', children=n_loops)
    spare = add(0, 0, 'idle_task')
    for loop in range(n_loops):
        at = 0
        for thread in range(rng.randrange(1, 5)):
            team = add(idle, loop, 'GOMP_parallel_task', children=1)
            add(team, 0, 'GOMP_for_static_task', 'chunk_start')
            for _ in range(rng.randrange(0, 5)):
                size = rng.randrange(1, 9)
                add(team, 0, 'GOMP_for_static_task', 'chunk_%d_%d' % (at, at + size))
                at += size
    for row in rows:
        row['num_children'] = sum(1 for r in rows if r['parent'] == row['task'])
    return rows, spare


# --- the prototype's derived columns ---

def add_work(rows):
    for row in rows:
        row['work_cycles'] = row['exec_cycles'] - row['overhead_cycles']


def mean(values):
    return math.fsum(values) / len(values)


def divide(a, b):
    if b == 0:
        return math.nan if a == 0 else math.copysign(math.inf, a)
    return a / b


def siblings(rows, row):
    return [r for r in rows if (r['parent'], r['joins_at']) == (row['parent'], row['joins_at'])]


def derive(rows, has_loops):
    by_task = {row['task']: row for row in rows}
    add_work(rows)
    for row in rows:
        parent = by_task.get(row['parent'])
        children = [r for r in rows if r['parent'] == row['parent']]
        row['parallel_benefit'] = math.nan
        if parent:
            share = (parent['overhead_cycles'] - sum(r['creation_cycles'] for r in children)) / len(children)
            row['parallel_benefit'] = divide(row['work_cycles'], row['creation_cycles'] + share)
        group = siblings(rows, row)
        work = [r['work_cycles'] for r in group]
        row['sibling_work_balance'] = divide(max(work), mean(work))
        pairs = [abs(a['cpu_id'] - b['cpu_id']) for i, a in enumerate(group) for b in group[:i]]
        row['sibling_scatter'] = statistics.median(pairs) if pairs and not has_loops else math.nan
        row['chunk_work_balance'] = row['chunk_work_cpu_balance'] = math.nan
    chunks = [r for r in rows if re.match('chunk_.*_', r['metadata'])]
    loop_of = {}
    for row in chunks:
        parent = by_task[row['parent']]
        loop_of[row['task']] = row['joins_at'] if parent['tag'] == 'idle_task' else parent['joins_at']
    for row in chunks:
        mates = [r for r in chunks if loop_of[r['task']] == loop_of[row['task']]]
        work = [r['work_cycles'] for r in mates]
        row['chunk_work_balance'] = divide(max(work), mean(work))
        sums = [sum(r['work_cycles'] for r in mates if r['cpu_id'] == cpu) for cpu in {r['cpu_id'] for r in mates}]
        row['chunk_work_cpu_balance'] = divide(max(sums), mean(list(set(sums))))


# --- graphs ---

def longest(nodes, edges, sources):
    """Bellman-Ford with negated weights; distance of each node's start from the sources."""
    dist = {node: (0 if node in sources else -math.inf) for node in nodes}
    for _ in nodes:
        changed = False
        for a, b, weight in edges:
            if dist[a] + weight > dist[b]:
                dist[b] = dist[a] + weight
                changed = True
        if not changed:
            return dist
    raise AssertionError('a cycle')


def owner_order(node):
    """Smallest predecessor: by task, then by number."""
    return [int(part) for part in re.findall(r'\d+', node)]


def path_back(edges, dist, end, stop):
    node, path = end, [end]
    while node not in stop:
        before = [a for a, b, w in edges if b == node and dist[a] + w == dist[b]]
        node = min(before, key=owner_order)
        path.append(node)
    return path


def reduced_graph(rows):
    by_task = {row['task']: row for row in rows}
    weight = {row['task']: row['work_cycles'] for row in rows}
    fork_joins = {(row['parent'], row['joins_at']) for row in rows}
    edges = []
    for row in rows:
        edges.append(('f.%d.%d' % (row['parent'], row['joins_at']), str(row['task']), 0))
        if not any(r['parent'] == row['task'] for r in rows):
            edges.append((str(row['task']), 'j.%d.%d' % (row['parent'], row['joins_at']), weight[row['task']]))
    for parent, join in fork_joins:
        if join == 0:
            edges.append((str(parent), 'f.%d.0' % parent, weight.get(parent, 0)))
        after = 'E'
        if (parent, join + 1) in fork_joins:
            after = 'f.%d.%d' % (parent, join + 1)
        elif parent in by_task:
            after = 'j.%d.%d' % (by_task[parent]['parent'], by_task[parent]['joins_at'])
        edges.append(('j.%d.%d' % (parent, join), after, 0))
    nodes = {'0', 'E'} | {a for a, b, w in edges} | {b for a, b, w in edges}
    return nodes, edges


def durations(rows, row):
    breaks = [1, 1 + row['exec_cycles']]
    breaks += [int(t) for t in row['wait_instants'][1:-1].split(';') if int(t)]
    breaks += [r['create_instant'] for r in rows if r['parent'] == row['task'] and r['create_instant']]
    breaks.sort()
    assert breaks[-1] == 1 + row['exec_cycles']
    return [b - a for a, b in zip(breaks, breaks[1:])]


def fragment_graph(rows):
    edges, weight = [], {}
    for row in rows:
        task, n, number, join = row['task'], 1, 0, 0

        def name(k):
            return '%d.%d' % (task, k)
        chain = [('f.%d.%d' % (row['parent'], row['child_number']), name(1))]
        children = sorted((r for r in rows if r['parent'] == task), key=lambda r: (r['joins_at'], r['child_number']))
        for i, child in enumerate(children):
            number += 1
            chain += [(name(n), 'f.%d.%d' % (task, number)), ('f.%d.%d' % (task, number), name(n + 1))]
            n += 1
            if i + 1 == len(children) or children[i + 1]['joins_at'] != child['joins_at']:
                chain += [(name(n), 'j.%d.%d' % (task, join)), ('j.%d.%d' % (task, join), name(n + 1))]
                n += 1
                join += 1
        chain.append((name(n), 'j.%d.%d' % (row['parent'], row['joins_at'])))
        pieces = durations(rows, row)
        assert len(pieces) == n, (pieces, n)
        weight.update({name(k + 1): piece for k, piece in enumerate(pieces)})
        edges += chain
    edges = [(a, b, weight.get(a, 0)) for a, b in edges]
    nodes = {a for a, b, w in edges} | {b for a, b, w in edges}
    return nodes, edges, weight


def profile(weight, dist, overlap):
    width = statistics.median(weight.values())
    end = max(dist[f] + w for f, w in weight.items())
    bins = []
    k = 0
    while k * width <= end + 1 + width:
        low, high = k * width, k * width + width - 1
        inside = [f for f, w in weight.items()
                  if (dist[f] <= high and dist[f] + w >= low if overlap == 'any'
                      else dist[f] <= low and dist[f] + w >= high)]
        bins.append((low, high, set(inside)))
        k += 1
    return bins


def contributions(bins):
    counts = {}
    for _, _, inside in bins:
        for fragment in inside:
            counts.setdefault(int(fragment.split('.')[0]), []).append(len(inside))
    return {task: (statistics.median(c), min(c), max(c)) for task, c in counts.items()}


# --- what winnow says ---

def run(*args, codes=(0,)):
    done = subprocess.run([WINNOW, *args], capture_output=True, text=True, check=False)
    if done.returncode not in codes:
        raise AssertionError('winnow %s: exit %d: %s' % (' '.join(args), done.returncode, done.stderr))
    return done.stdout


def write_table(rows, path, rng):
    """In one of the many ways of writing the same."""
    names = list(rows[0])
    names = [n for n in names if n in ('task', 'parent', 'joins_at', 'cpu_id', 'child_number', 'num_children',
                                       'exec_cycles', 'creation_cycles', 'overhead_cycles', 'queue_size',
                                       'create_instant', 'exec_end_instant', 'tag', 'metadata', 'outline_function',
                                       'wait_instants')]
    order = list(rows)
    if rng.random() < 0.5:
        rng.shuffle(order)
    if rng.random() < 0.5:
        rng.shuffle(names)
    quoted = rng.random() < 0.5
    end = rng.choice(('\n', '\r\n'))

    def cell(value):
        if isinstance(value, str) and quoted:
            return '"' + value.replace('"', '""') + '"'
        if isinstance(value, int) and value and value % 1000 == 0 and rng.random() < 0.5:
            return '%.15e' % value
        return str(value)
    lines = [','.join(cell(n) for n in names)]
    if rng.random() < 0.3:
        lines.insert(0, '# a comment')
    for row in order:
        lines.append(','.join(cell(row[n]) for n in names))
    mark = '\ufeff' if rng.random() < 0.3 else ''
    with open(path, 'w', encoding='utf-8', newline='') as out:
        out.write(mark + end.join(lines) + end)


TEXTS = ('tag', 'metadata', 'wait_instants')


def write_graphml(rows, nodes, edges, pieces, path, rng, is_bare):
    """As igraph writes it: keys first, then nodes and edges in any order. Bare: names and weights alone."""
    by_task = {row['task']: row for row in rows}
    names = [] if is_bare else [n for n in rows[0] if n in (
        'task', 'parent', 'joins_at', 'cpu_id', 'child_number', 'num_children', 'exec_cycles', 'creation_cycles',
        'overhead_cycles', 'work_cycles', 'create_instant', 'exec_end_instant', 'outline_function') + TEXTS]
    sign = 1 if pieces else -1
    if pieces and 'exec_cycles' not in names:
        names.append('exec_cycles')
    out = ['<?xml version="1.0" encoding="UTF-8"?>',
           '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">']
    for i, name in enumerate(['name', 'label', 'color'] + names):
        kind = 'string' if name in TEXTS + ('name', 'label', 'color') else 'double'
        out.append('  <key id="v_%d" for="node" attr.name="%s" attr.type="%s"/>' % (i, name, kind))
    out.append('  <key id="e_w" for="edge" attr.name="weight" attr.type="double"/>')
    out.append('  <key id="v_0" for="edge" attr.name="type" attr.type="string"/>')
    out.append('  <graph id="G" edgedefault="directed">')
    order = sorted(nodes)
    rng.shuffle(order)
    ids = {node: 'n%d' % i for i, node in enumerate(order)}
    for node in order:
        data = ['name', node], ['label', 'a &lt; b'], ['color', '#FF0000']
        task = int(node.split('.')[0]) if node[0].isdigit() else 0
        values = dict(data)
        for name in names:
            values[name] = 'NaN' if name not in TEXTS else 'NA'
            if task:
                values[name] = by_task[task][name]
            if name == 'exec_cycles' and pieces:
                values[name] = pieces.get(node, 0)
        out.append('    <node id="%s">' % ids[node])
        for i, name in enumerate(['name', 'label', 'color'] + names):
            out.append('      <data key="v_%d">%s</data>' % (i, values[name]))
        out.append('    </node>')
    for a, b, w in edges:
        out.append('    <edge source="%s" target="%s"><data key="e_w">%r</data><data key="v_0">x</data></edge>'
                   % (ids[a], ids[b], float(sign * w)))
    out += ['  </graph>', '</graphml>', '']
    with open(path, 'w', encoding='utf-8') as to:
        to.write('\n'.join(out))


def compare_bare(rows, trace, is_reduced):
    """What names, edges and weights tell."""
    report = json.loads(run('report', trace, '--json'))
    nodes, edges = reduced_graph(rows)
    expect('nodes of a bare graph', report['graph']['nodes'], len(nodes))
    if is_reduced:
        expect('span of a bare graph', report['totals']['span_ns'], longest(nodes, edges, {'0'})['E'])
        return
    nodes, edges, _ = fragment_graph(rows)
    dist = longest(nodes, edges, nodes - {b for a, b, w in edges})
    expect('span of bare fragments', report['imported']['span_fragments_ns'], dist['j.0.0'])
    expect('execution of bare fragments', report['imported']['exec_ns'], sum(r['exec_cycles'] for r in rows))


def from_graphs(rows, folder, rng, has_loops):
    path, trace = os.path.join(folder, 'in.graphml'), os.path.join(folder, 'graph.winnow')
    nodes, edges = reduced_graph(rows)
    write_graphml(rows, nodes, edges, None, path, rng, False)
    run('import', path, '-o', trace)
    compare(rows, trace, has_loops)
    # an edge out of a grain is where its weight is: S has none
    write_graphml(rows, nodes, edges, None, path, rng, True)
    run('import', path, '-o', trace)
    compare_bare(rows, trace, True)
    if has_loops:
        return
    nodes, edges, weight = fragment_graph(rows)
    write_graphml(rows, nodes, edges, weight, path, rng, False)
    run('import', path, '-o', trace)
    compare(rows, trace, False)
    write_graphml(rows, nodes, edges, weight, path, rng, True)
    run('import', path, '-o', trace, codes=(0, 3))
    compare_bare(rows, trace, False)


def same(a, b):
    if math.isnan(a) or math.isnan(b):
        return math.isnan(a) and math.isnan(b)
    if math.isinf(a) or math.isinf(b):
        return a == b
    return abs(a - b) <= 1e-4 * max(1e-9, abs(a), abs(b))


def read_csv(text):
    lines = [line for line in text.splitlines() if not line.startswith('#')]
    return list(csv.DictReader(io.StringIO('\n'.join(lines))))


def number(text):
    return float(text) if text not in ('', 'NA') else math.nan


def expect(what, found, wanted):
    if found != wanted:
        raise AssertionError('%s: found %r, wanted %r' % (what, found, wanted))


CONDITIONS = {
    'parallel_benefit': lambda v, c: v < 1,
    'inst_par_median': lambda v, c: v < c,
    'inst_par_min': lambda v, c: v < c,
    'inst_par_max': lambda v, c: v < c,
    'sibling_work_balance': lambda v, c: v > 2,
    'sibling_scatter': lambda v, c: v > c / 4,
    'chunk_work_balance': lambda v, c: v > 2,
    'chunk_work_cpu_balance': lambda v, c: v > 2,
}


def check_info(info, rows, critical, copies, critical_copies):
    """Problem lines: each task counts `copies` times, of which critical_copies on the path."""
    cpus = len({row['cpu_id'] for row in rows})
    n_lines = 0
    for variable, is_problem in CONDITIONS.items():
        found = re.search(r'(\d+) grains have !is.na\(%s\) & .*, (\d+) of' % variable, info)
        known = [r for r in rows if not math.isnan(r.get(variable, math.nan))]
        bad = [r for r in known if is_problem(r[variable], cpus)]
        expect(variable + ' is told', bool(found), bool(known))
        if not found:
            continue
        n_lines += 1
        expect(variable, (int(found[1]), int(found[2])),
               (sum(copies[r['task']] for r in bad), sum(critical_copies[r['task']] for r in bad)))
    expect('there are problems to compare', n_lines > 0, True)


def info_number(info, name):
    return float(re.search(r'^%s = (.*)$' % re.escape(name), info, re.M)[1])


def compare(rows, trace, has_loops):
    run('check', trace)
    table = {int(r['id']): r for r in read_csv(run('export', trace, '--format', 'csv'))}
    expect('rows', sorted(table), sorted(r['task'] for r in rows))
    nodes, edges = reduced_graph(rows)
    dist = longest(nodes, edges, {'0'})
    path = path_back(edges, dist, 'E', {'0'})
    critical = {int(n) for n in path if n.isdigit() and n != '0'}
    hops = longest(nodes, [(a, b, 1) for a, b, w in edges], {'0'})
    for task, row in table.items():
        expect('root_dist of %d' % task, float(row['root_dist']), dist[str(task)])
        expect('depth of %d' % task, float(row['depth']), hops[str(task)])
    report = json.loads(run('report', trace, '--json'))
    work = sum(r['work_cycles'] for r in rows)
    expect('unit', report['unit'], 'cycles')
    expect('work', report['totals']['work_ns'], work)
    expect('span', report['totals']['span_ns'], dist['E'])
    expect('nodes', report['graph']['nodes'], len(nodes))
    expect('critical', {t for t, r in table.items() if r['on_crit_path'] == '1'}, critical)
    info = run('report', trace, '--info')
    expect('edges', info_number(info, 'Number of edges'), len(edges))
    expect('critical tasks', info_number(info, 'Number of critical tasks'), len(critical))
    expect('forks', info_number(info, 'Number of forks'), sum(1 for n in nodes if n[0] == 'f'))
    for row in rows:
        for name in ('parallel_benefit', 'sibling_work_balance', 'sibling_scatter', 'chunk_work_balance',
                     'chunk_work_cpu_balance', 'work_cycles'):
            found = number(table[row['task']].get(name, ''))
            if not same(found, float(row[name])):
                raise AssertionError('task %d: %s: found %r, wanted %r' % (row['task'], name, found, row[name]))
    if has_loops:
        check_info(info, rows, critical, {r['task']: 1 for r in rows},
                   {r['task']: int(r['task'] in critical) for r in rows})
        return
    nodes, edges, weight = fragment_graph(rows)
    sources = nodes - {b for a, b, w in edges}
    dist = longest(nodes, edges, sources)
    last = 'j.0.0'
    path = path_back(edges, dist, last, sources)
    on_path = [n for n in path if n[0].isdigit()]
    expect('span of fragments', report['imported']['span_fragments_ns'], dist[last])
    expect('critical fragments', report['imported']['critical_fragments'], len(on_path))
    info_f = run('report', trace, '--info', '--form', 'fragments')
    expect('nodes of fragments', info_number(info_f, 'Number of nodes'), len(nodes))
    expect('edges of fragments', info_number(info_f, 'Number of edges'), len(edges))
    expect('fragments', info_number(info_f, 'Number of fragments'), len(weight))
    expect('span again', info_number(info_f, 'Span (critical path)'), dist[last])
    expect('work by execution', info_number(info_f, 'Work'), sum(r['exec_cycles'] for r in rows))
    degrees = [sum(1 for a, b, w in edges if a == n) for n in nodes if n[0] == 'f']
    wanted = [degrees.count(d) / len(degrees) for d in range(max(degrees) + 1)]
    shown = re.search(r'^# Out-degree.*\n((?: *\[\d+\].*\n)+)', info_f, re.M)[1]
    found = [float(t) for t in re.sub(r'\[\d+\]', '', shown).split()]
    expect('degrees', [round(f - w, 6) for f, w in zip(found, wanted)], [0] * len(wanted))
    if statistics.median(weight.values()) == 0:
        return
    for row in rows:
        row['inst_par_median'] = row['inst_par_min'] = row['inst_par_max'] = math.nan
    for overlap in ('within', 'any'):
        bins = profile(weight, dist, overlap)
        found = read_csv(run('export', trace, '--format', 'profile', '--overlap', overlap))
        expect('bins', len(found), len(bins))
        for line, (low, high, inside) in zip(found, bins):
            names = set(line['fragment'].split(';')) - {'NA'}
            expect('bin', (float(line['i.start']), float(line['i.end']), int(line['count']), names),
                   (low, high, len(inside), inside))
        wanted = contributions(bins)
        found = read_csv(run('export', trace, '--format', 'contribution', '--overlap', overlap))
        expect('contributions', {int(r['task']): (float(r['inst_par_median']), float(r['inst_par_min']),
                                                  float(r['inst_par_max'])) for r in found}, wanted)
    for row in rows:
        if row['task'] in wanted:
            row['inst_par_median'], row['inst_par_min'], row['inst_par_max'] = wanted[row['task']]
    check_info(info, rows, critical, {r['task']: 1 for r in rows},
               {r['task']: int(r['task'] in critical) for r in rows})
    tasks = [int(f.split('.')[0]) for f in weight]
    paths = [int(f.split('.')[0]) for f in on_path]
    check_info(info_f, rows, None, {r['task']: tasks.count(r['task']) for r in rows},
               {r['task']: paths.count(r['task']) for r in rows})


def one(seed, folder):
    rng = random.Random(seed)
    has_loops = seed % 4 == 0
    rows, spare = make_loops(rng) if has_loops else (make_tasks(rng), None)
    path, trace = os.path.join(folder, 'in.csv'), os.path.join(folder, 'in.winnow')
    write_table(rows, path, rng)
    run('import', path, '-o', trace)
    rows = [r for r in rows if r['task'] != spare]
    derive(rows, has_loops)
    compare(rows, trace, has_loops)
    from_graphs(rows, folder, rng, has_loops)
    # what is exported is what was imported, and more
    again, trace2 = os.path.join(folder, 'again.csv'), os.path.join(folder, 'again.winnow')
    with open(again, 'w', encoding='utf-8') as out:
        out.write(run('export', trace, '--format', 'mir-csv'))
    run('import', again, '-o', trace2)
    compare(rows, trace2, has_loops)


def main():
    print('1..%d' % RUNS)
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        for i, seed in enumerate(range(FIRST, FIRST + RUNS)):
            try:
                one(seed, folder)
                print('ok %d - table %d' % (i + 1, seed))
            except AssertionError as error:
                print('not ok %d - table %d\n# %s' % (i + 1, seed, error))
                failed = True
    sys.exit(failed)


main()
