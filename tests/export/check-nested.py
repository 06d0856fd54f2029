#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check-nested.py FLAT NESTED... - is each nested GraphML the fold of the flat one?

Reads them with a parser of XML and knows nothing of winnow. The fold is made here by walking the flat graph
by its grammar; for a view of a problem it is then separated by what the nodes say of problems. Prints
complaints."""
import sys
import xml.etree.ElementTree as ET

G = "{http://graphml.graphdrawing.org/xmlns}"
Y = "{http://www.yworks.com/xml/graphml}"
sys.setrecursionlimit(100000)
bad = []


def complain(*words):
    bad.append(" ".join(str(w) for w in words))


def keys_of(root):
    return {k.get("id"): k.get("attr.name") for k in root.findall(G + "key")}


def data_of(element, keys):
    return {keys[d.get("key")]: d.text for d in element.findall(G + "data") if keys[d.get("key")]}


# --- the flat graph and its fold ---


def read_flat(path):
    root = ET.parse(path).getroot()
    keys = keys_of(root)
    graph = root.find(G + "graph")
    nodes = {n.get("id"): data_of(n, keys) for n in graph.findall(G + "node")}
    edges = [(e.get("source"), e.get("target"), data_of(e, keys)) for e in graph.findall(G + "edge")]
    return nodes, edges


def fold(nodes, edges):
    """("grain", name) | ("linear", [...]) | ("fork_join", fork, [...]); None for an empty graph."""
    after = {}
    for source, target, data in edges:
        if data["kind"] != "depend" and data.get("rogue") != "true":
            after.setdefault(source, []).append(target)

    def sequence(at):
        members = []
        while True:
            kind = nodes[at]["kind"]
            if kind in ("join", "end"):
                break
            if kind == "fork":
                branches = [sequence(b)[0] for b in after[at]]
                members.append(("fork_join", at, branches))
                at = after["j" + at[1:]][0]
            else:
                members.append(("grain", at))
                at = after[at][0]
        if not members:
            return None, at
        return (members[0] if len(members) == 1 else ("linear", members)), at

    tops = [sequence(t)[0] for t in after.get("0", [])]
    tops = [t for t in tops if t]
    if not tops:
        return None
    return tops[0] if len(tops) == 1 else ("siblings", tops)


def is_bad(tree, problems):
    if tree[0] == "grain":
        return tree[1] in problems
    return any(is_bad(m, problems) for m in tree[-1])


def separate(tree, problems):
    """What has no problem apart, in groups that hold what has one."""
    if tree[0] == "grain" or not is_bad(tree, problems):
        return tree
    members = [separate(m, problems) for m in tree[-1]]
    good = [m for m in members if not is_bad(m, problems)]
    if tree[0] in ("fork_join", "siblings") and len(members) > 1 and len(good) >= 2:
        members = [m for m in members if is_bad(m, problems)] + [("siblings", good)]
    if tree[0] == "linear" and len(members) > 2:
        runs = []
        for m in members:
            if not is_bad(m, problems) and runs and isinstance(runs[-1], list):
                runs[-1].append(m)
            else:
                runs.append([m] if not is_bad(m, problems) else m)
        members = []
        for r in runs:
            if isinstance(r, list):
                members += [("linear", r)] if len(r) >= 2 else r
            else:
                members.append(r)
    return tree[:-1] + (members,)


# --- the nested graph ---


def read_nested(path):
    root = ET.parse(path).getroot()
    keys = keys_of(root)
    graph = root.find(G + "graph")
    by_id = {}
    top = [read_node(n, "", i, keys, by_id) for i, n in enumerate(graph.findall(G + "node"))]
    edges = [(e.get("source"), e.get("target"), data_of(e, keys)) for e in graph.findall(G + "edge")]
    if len(root.findall(".//" + G + "edge")) != len(edges):
        complain("edges in inner graphs")
    if any(g.get("edgedefault") != "directed" for g in root.iter(G + "graph")):
        complain("a graph is not directed")
    return data_of(graph, keys), top, edges, by_id


def read_node(element, prefix, place, keys, by_id):
    node = {"id": element.get("id"), "data": data_of(element, keys), "members": None}
    node["fill"] = [f.get("color") for f in element.findall(G + "data/" + Y + "ShapeNode/" + Y + "Fill")]
    node["border"] = {b.get("color") for b in element.findall(G + "data//" + Y + "BorderStyle")}
    if node["id"] in by_id:
        complain("twice:", node["id"])
    by_id[node["id"]] = node
    if prefix and node["id"] != f"{prefix}::n{place}":
        complain(node["id"], "is not member", place, "of", prefix)
    inner = element.find(G + "graph")
    if inner is not None:
        if inner.get("id") != node["id"] + ":":
            complain("the graph in", node["id"], "is called", inner.get("id"))
        node["members"] = [read_node(n, node["id"], i, keys, by_id)
                           for i, n in enumerate(inner.findall(G + "node"))]
    return node


def flat_name(node):
    """What the flat form calls a node."""
    data = node["data"]
    kind = data["kind"]
    if kind == "start":
        return "0"
    if kind == "end":
        return "E"
    if kind == "gate":
        return "d." + str(int(node["id"][1:]) - 3)
    if kind in ("fork", "join"):
        return f"{kind[0]}.{data['parent']}.{data['fork_join']}"
    return data["number"]


def as_tree(node):
    """The nested node as fold() makes them, forks by name; checks what it says of its members."""
    if node["members"] is None:
        return ("grain", flat_name(node))
    members, kind = node["members"], node["data"]["kind"]
    head = ()
    if kind == "fork_join":
        if [m["data"]["kind"] for m in members[:2]] != ["fork", "join"]:
            complain(node["id"], "does not start with its fork and join")
        head = (flat_name(members[0]),)
        if flat_name(members[1]) != "j" + head[0][1:]:
            complain(node["id"], "has another fork's join")
        members = members[2:]
    check_group(node, members)
    return (kind,) + head + ([as_tree(m) for m in members],)


def check_group(node, members):
    data = node["data"]
    number = lambda d, key: int(d.get(key) or 0)
    if number(data, "members") != len(members):
        complain(node["id"], "has", len(members), "members, and says", data.get("members"))
    for key in ("grains", "work_ns", "exec_ns"):
        total = sum(number(m["data"], key) for m in members)
        if number(data, key) != total:
            complain(node["id"], key, data.get(key), "is not", total)
    for key in ("problematic", "on_crit_path"):
        any_of = any(m["data"].get(key) == "true" for m in members)
        if (data.get(key) == "true") != any_of:
            complain(node["id"], key, data.get(key), "but of a member", any_of)
    wanted = "#FF0000" if data["problematic"] == "true" else "#00FF00"
    if node["border"] != {wanted}:
        complain(node["id"], "has the border", node["border"])


def check_local(names, by_id, flat_edges):
    """The longest path inside a group, by its edges alone."""
    inside = {names[i]: by_id[i]["data"] for i in names if "subgraph_root_dist" in by_id[i]["data"]}
    weight = lambda x: int(inside[x].get("work_ns") or 0) if inside[x]["kind"] not in ("fork", "join") else 0
    after, n_before = {x: [] for x in inside}, {x: 0 for x in inside}
    for s, t, d in flat_edges:
        if s in inside and t in inside and d["kind"] != "depend" and d.get("rogue") != "true":
            after[s].append(t)
            n_before[t] += 1
    dist, depth = {x: 0 for x in inside}, {x: 0 for x in inside}
    ready = [x for x in inside if n_before[x] == 0]
    order = []
    while ready:
        x = ready.pop()
        order.append(x)
        for y in after[x]:
            dist[y] = max(dist[y], dist[x] + weight(x))
            depth[y] = max(depth[y], depth[x] + 1)
            n_before[y] -= 1
            if n_before[y] == 0:
                ready.append(y)
    if len(order) != len(inside):
        complain("the edges inside go in circles")
    for x in inside:
        if int(inside[x]["subgraph_root_dist"]) != dist[x] or int(inside[x]["subgraph_depth"]) != depth[x]:
            complain(x, "is at", inside[x]["subgraph_root_dist"], inside[x]["subgraph_depth"], "not at", dist[x], depth[x])
    path = [x for x in inside if inside[x]["subgraph_on_crit_path"] == "true"]
    longest = max((dist[x] + weight(x) for x in inside), default=0)
    if sum(weight(x) for x in path) != longest:
        complain("the path is", sum(weight(x) for x in path), "long, not", longest)
    path.sort(key=lambda x: (dist[x], depth[x]))
    if any(b not in after[a] for a, b in zip(path, path[1:])):
        complain("the path has a gap")
    blue = {names[i] for i in names if "#0000FF" in by_id[i]["border"]}
    if blue != set(path):
        complain("blue is", sorted(blue ^ set(path))[:3])


def check(nested_path, flat, flat_edges):
    about, top, edges, by_id = read_nested(nested_path)
    # each node once, with the same kind
    names = {i: flat_name(n) for i, n in by_id.items() if n["members"] is None}
    if sorted(names.values()) != sorted(flat):
        complain("nodes differ:", sorted(set(names.values()) ^ set(flat))[:5])
    for i, name in names.items():
        if name in flat and by_id[i]["data"]["kind"] != flat[name]["kind"]:
            complain(name, "is of another kind")
    # edges
    if any(s not in names or t not in names for s, t, _ in edges):
        complain("an edge leads to a group")
    same = lambda d: (d["kind"], d.get("rogue"), d["on_crit_path"], d["weight_ns"])
    here = sorted((names.get(s, ""), names.get(t, "")) + same(d) for s, t, d in edges)
    there = sorted((s, t) + same(d) for s, t, d in flat_edges)
    if here != there:
        complain("edges differ:", str(sorted(set(here) ^ set(there), key=str)[:3]))
    check_local(names, by_id, flat_edges)
    # groups
    tree = fold(flat, flat_edges)
    groups = [n for n in top if n["data"]["kind"] not in ("start", "end", "gate")]
    problems = {names[i] for i in names if by_id[i]["data"].get("problematic") == "true"}
    if tree is None:
        if groups:
            complain("groups of nothing")
    elif len(groups) != 1:
        complain(len(groups), "groups are in none")
    else:
        if about["view"] != "structure":
            tree = separate(tree, problems)
            for i, name in names.items():
                is_pale = all(f.endswith("33") and len(f) == 9 for f in by_id[i]["fill"])
                if is_pale == (name in problems):
                    complain(name, "is pale" if is_pale else "is not pale")
        if as_tree(groups[0]) != tree:
            complain("the groups are not those of the fold")


def main():
    flat, flat_edges = read_flat(sys.argv[1])
    status = 0
    for path in sys.argv[2:]:
        bad.clear()
        check(path, flat, flat_edges)
        for line in bad[:20]:
            print(f"{path}: {line}")
        status |= bool(bad)
    return status


sys.exit(main())
