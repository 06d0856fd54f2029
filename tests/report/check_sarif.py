#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_sarif.py [FILE...] - is each file, or standard input, a log of SARIF 2.1.0 that GitHub's code scanning accepts?

The objects, their properties and their types are those of the OASIS standard, sections 3.13 to 3.58, as far as Winnow
writes them: any other property is an error, as the standard's schema has it. GitHub's rules are those of "SARIF support
for code scanning". Prints one line for each fault, of a file with its name; exit status 1 if there is one.
"""
import json
import re
import sys

TEXT, INT, NUM, BOOL, BAG = "text", "int", "number", "bool", "bag"
LEVEL = {"none", "note", "warning", "error"}
URI = re.compile(r"^[A-Za-z0-9\-._~/:%!$&'()*+,;=@?#\[\]]*$")

# object: property: type, a set of words, [type] for an array, or the name of an object; required ones have a '!'
OBJECTS = {
    "log": {"$schema": TEXT, "version!": {"2.1.0"}, "runs!": ["run"]},
    "run": {"tool!": "tool", "invocations": ["invocation"], "originalUriBaseIds": {"*": "artifactLocation"},
            "columnKind": {"utf16CodeUnits", "unicodeCodePoints"}, "results": ["result"]},
    "tool": {"driver!": "driver"},
    "driver": {"name!": TEXT, "version": TEXT, "semanticVersion": TEXT, "rules": ["rule"]},
    "rule": {"id!": TEXT, "shortDescription": "multiformat", "fullDescription": "multiformat", "help": "multiformat",
             "defaultConfiguration": "configuration", "properties": BAG},
    "multiformat": {"text!": TEXT, "markdown": TEXT},
    "configuration": {"level": LEVEL},
    "invocation": {"executionSuccessful!": BOOL, "toolExecutionNotifications": ["notification"]},
    "notification": {"level": LEVEL, "message!": "message"},
    "message": {"text": TEXT},
    "artifactLocation": {"uri": TEXT, "uriBaseId": TEXT},
    "result": {"ruleId": TEXT, "ruleIndex": INT, "kind": {"pass", "open", "informational", "notApplicable", "review", "fail"},
               "level": LEVEL, "message!": "message", "rank": NUM, "locations": ["location"],
               "relatedLocations": ["location"], "partialFingerprints": {"*": TEXT}, "properties": BAG},
    "location": {"physicalLocation": "physicalLocation", "logicalLocations": ["logicalLocation"], "message": "message"},
    "physicalLocation": {"artifactLocation": "artifactLocation", "region": "region"},
    "region": {"startLine": INT, "startColumn": INT},
    "logicalLocation": {"name": TEXT, "kind": TEXT},
}
faults = []


def fault(where, text):
    faults.append(f"{where}: {text}")


def check(value, kind, where):
    if isinstance(kind, list):
        if not isinstance(value, list):
            return fault(where, "is no array")
        for i, item in enumerate(value):
            check(item, kind[0], f"{where}[{i}]")
        if len({json.dumps(v, sort_keys=True) for v in value}) != len(value):
            fault(where, "has the same item twice")
    elif isinstance(kind, set):
        if value not in kind:
            fault(where, f"{value!r} is none of {sorted(kind)}")
    elif isinstance(kind, dict):
        if not isinstance(value, dict):
            return fault(where, "is no object")
        for key, item in value.items():
            check(item, kind["*"], f"{where}.{key}")
    elif kind == TEXT:
        if not isinstance(value, str) or not value:
            fault(where, "is no text, or empty")
    elif kind == BOOL:
        if not isinstance(value, bool):
            fault(where, "is no boolean")
    elif kind in (INT, NUM):
        types = int if kind == INT else (int, float)
        if not isinstance(value, types) or isinstance(value, bool):
            fault(where, "is no number")
    elif kind == BAG:
        if not isinstance(value, dict):
            fault(where, "is no object")
        elif "tags" in value and (not isinstance(value["tags"], list) or len(set(value["tags"])) != len(value["tags"])):
            fault(where, "tags are no set")
    else:
        check_object(value, kind, where)


def check_object(value, kind, where):
    if not isinstance(value, dict):
        return fault(where, f"is no {kind}")
    properties = {name.rstrip("!"): kinds for name, kinds in OBJECTS[kind].items()}
    for name in OBJECTS[kind]:
        if name.endswith("!") and name[:-1] not in value:
            fault(where, f"lacks {name[:-1]}")
    for name, item in value.items():
        if name not in properties:
            fault(where, f"has {name}, which a {kind} does not have")
        else:
            check(item, properties[name], f"{where}.{name}")
    return None


def check_location(location, bases, where):
    physical = location.get("physicalLocation")
    if not physical:
        return fault(where, "lacks a physicalLocation")
    region = physical.get("region", {})
    artifact = physical.get("artifactLocation", {})
    uri = artifact.get("uri", "")
    if region.get("startLine", 0) < 1 or region.get("startColumn", 0) < 1:
        fault(where, "lines and columns begin at 1")
    if not URI.match(uri) or re.search(r"%(?![0-9A-Fa-f]{2})", uri):
        fault(where, f"{uri!r} is no URI")
    base = artifact.get("uriBaseId")
    if base is None and not re.match(r"^file:///", uri):
        fault(where, f"{uri!r} is neither absolute nor relative to a base")
    if base is not None and (base not in bases or uri.startswith("/") or ":" in uri):
        fault(where, f"{uri!r} is not relative to a known base")
    return None


def check_run(run, where):
    rules = run["tool"]["driver"].get("rules", [])
    bases = run.get("originalUriBaseIds", {})
    for name, base in bases.items():
        if not base.get("uri", "").endswith("/"):
            fault(where, f"the base {name} does not end in /")
    ids = [rule.get("id") for rule in rules]
    if len(set(ids)) != len(ids):
        fault(where, "two rules have one id")
    for rule in rules:
        for key in ("shortDescription", "fullDescription", "help"):
            if key not in rule:
                fault(where, f"the rule {rule.get('id')} lacks {key}, which GitHub shows")
        if rule.get("properties", {}).get("problem.severity") not in ("error", "warning", "recommendation"):
            fault(where, f"the rule {rule.get('id')} has no severity of GitHub's")
    prints = []
    for i, result in enumerate(run.get("results", [])):
        at = f"{where}.results[{i}]"
        index = result.get("ruleIndex", -1)
        if not 0 <= index < len(rules) or ids[index] != result.get("ruleId"):
            fault(at, "ruleIndex is not that of ruleId")
        if not 0 <= result.get("rank", 0) <= 100:
            fault(at, "rank is not from 0 to 100")
        for k, location in enumerate(result.get("locations", []) + result.get("relatedLocations", [])):
            check_location(location, bases, f"{at}.location[{k}]")
        if not result.get("partialFingerprints"):
            fault(at, "lacks partialFingerprints")
        prints.append(json.dumps(result.get("partialFingerprints"), sort_keys=True))
    if len(set(prints)) != len(prints):
        fault(where, "two results have the same fingerprint")


def check_log(log, name):
    faults.clear()
    check(log, "log", name + "log")
    if not faults:
        for i, run in enumerate(log["runs"]):
            check_run(run, f"{name}log.runs[{i}]")
    for line in faults:
        print(line)
    return not faults


def main():
    is_fine = True if sys.argv[1:] else check_log(json.load(sys.stdin), "")
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as log:
            is_fine &= check_log(json.load(log), path + ": ")
    return 0 if is_fine else 1


sys.exit(main())
