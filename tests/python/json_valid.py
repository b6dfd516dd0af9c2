# SPDX-License-Identifier: GPL-2.0-or-later
# SCHEMA REPORT TYPE...: all lines are valid, and each type occurs
# For tests/suite/json.
import collections, json, sys
import jsonschema

def close(part):
    """Refuse keys that are not described: the schema has room for those of later versions, and this is no later one."""
    if isinstance(part, dict):
        if "properties" in part:
            part["additionalProperties"] = False
        for key, value in part.items():
            if key not in ("if", "then"):
                close(value)
    elif isinstance(part, list):
        for value in part:
            close(value)

with open(sys.argv[1]) as file:
    schema = json.load(file)
jsonschema.Draft202012Validator.check_schema(schema)
for name, part in schema["$defs"].items():
    if "properties" in part and (name.startswith("line_") or name == "change"):
        part["properties"]["type"] = {}
    close(part)
validator = jsonschema.Draft202012Validator(schema)
with open(sys.argv[2]) as file:
    lines = [json.loads(line) for line in file]
amiss = False

def say(line, message):
    global amiss
    amiss = True
    print(message, "in:", json.dumps(line))

for line in lines:
    for error in validator.iter_errors(line):
        say(line, f"{'/'.join(map(str, error.absolute_path))}: {error.message}")
    if "line_" + line["type"] not in schema["$defs"]:
        say(line, "no such type")
types = collections.Counter(line["type"] for line in lines)
for wanted in sys.argv[3:]:
    if not types[wanted]:
        say(None, f"no line {wanted}")

def judge_run(lines):
    """What the lines about one device must be among themselves."""
    if lines[0]["type"] != "run" or lines[-1]["type"] not in ("summary", "rollback"):
        say(lines[-1], "no first or no last line")
    findings = [line for line in lines if line["type"] == "finding"]
    if [f["number"] for f in findings] != list(range(1, len(findings) + 1)):
        say(None, "findings are not numbered")
    for f in findings:
        head = findings[f["entry"] - 1]
        if head["entry"] != head["number"] or head["id"] != f["id"] or head["cause"] != f["cause"]:
            say(f, "it is not like the finding that it is put together with")
        if isinstance(f["cause"], int):
            cause = findings[f["cause"] - 1]
            if cause["entry"] != cause["number"] or cause["cause"] is not None or cause is f:
                say(f, "its cause is none")
    last = lines[-1]
    if last["type"] == "summary":
        ids = collections.Counter(f["id"] for f in findings)
        ids.update({line["id"]: line["count"] for line in lines if line["type"] == "more"})
        if last["ids"] != ids or sum(ids.values()) != last["findings"]:
            say(last, f"ids should be {dict(ids)}")
    if last["device"] != lines[0]["device"] or not lines[0]["start"] == last["start"] <= last["end"]:
        say(last, "it is of another device, or another time")

starts = [number for number, line in enumerate(lines) if line["type"] == "run"] or [0]
images = lines.pop() if lines[-1]["type"] == "images" else None
runs = [lines[start:end] for start, end in zip(starts, starts[1:] + [None])]
if lines[0]["type"] == "undo": # a list, of no run
    runs = []
for run in runs:
    judge_run(run)
if images:
    told = [(image["device"], image["exit_status"]) for image in images["images"]]
    if told != [(run[-1]["device"], run[-1]["exit_status"]) for run in runs]:
        say(images, "it tells something else than the runs")
    if images["exit_status"] != max(status for _, status in told):
        say(images, "its exit status is not the highest")
elif len(runs) > 1:
    say(None, "no line images")
sys.exit(amiss)
