#!/usr/bin/env python3
"""Which planted faults the tests find.

    python3 tests/mutants/run.py FOLDER [SEED]

Copies the commit that is checked out to FOLDER, plants a sample of small faults (see src/main.rs), builds the tests once,
notes which faults each test comes by, and runs, fault by fault, the tests that come by it until one fails. It takes hours,
and goes on where it was stopped. `results.tsv` has a line for each fault; the table by room is printed at the end.
"""

import collections
import json
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
# they read the source, not the program
OF_THE_SOURCE = ("layers", "answer_sources", "readme")
# seconds after which a test hangs, at least, and times what it took without a fault
HANGS, SLOWER = 40, 12
# seconds of tests after which a fault counts as not found
ENOUGH = 150


def plant(copy, seed, left_out):
    """Builds the tests with all faults, less those that the compiler refuses; its messages."""
    source = subprocess.run(["git", "archive", "HEAD"], cwd=HERE.parent.parent, capture_output=True, check=True)
    copy.mkdir(parents=True, exist_ok=True)
    subprocess.run(["tar", "-x"], cwd=copy, input=source.stdout, check=True)
    (copy / "src/planted.rs").write_bytes((HERE / "planted.rs").read_bytes())
    with open(copy / "src/lib.rs", "a") as library:
        library.write("\npub mod planted;\n")
    planter = ["cargo", "run", "--release", "--manifest-path", str(HERE / "Cargo.toml"), "--target-dir", str(copy.parent / "planter")]
    subprocess.run([*planter, "--", str(copy / "src"), str(copy.parent / "faults.tsv"), str(seed), *map(str, left_out)], check=True)
    built = subprocess.run(
        ["cargo", "test", "--release", "--no-run", "--message-format=json"], cwd=copy, stdout=subprocess.PIPE, text=True
    )
    messages = [json.loads(line) for line in built.stdout.splitlines() if line.startswith("{")]
    if built.returncode == 0:
        return messages
    refused = set()
    for message in messages:
        inner = message.get("message") or {}
        for span in inner.get("spans", []) if inner.get("level") == "error" else []:
            lines = (copy / span["file_name"]).read_text().split("\n")
            for around in (0, 2, 6):
                near = "\n".join(lines[max(0, span["line_start"] - 1 - around) : span["line_end"] + around])
                if numbers := re.findall(r"planted::is_on\((\d+)u32\)", near):
                    refused |= set(map(int, numbers))
                    break
    if not refused:
        sys.exit("the copy cannot be built")
    return plant(copy, seed, sorted({*left_out, *refused}))


def programs(messages):
    """The test programs by name."""
    found = {}
    for message in messages:
        if message.get("reason") == "compiler-artifact" and message.get("executable") and message["profile"]["test"]:
            kind = message["target"]["kind"]
            if kind != ["bench"] and message["target"]["name"] not in OF_THE_SOURCE:
                found["lib" if kind == ["lib"] else message["target"]["name"]] = message["executable"]
    return found


def run(copy, program, test, seconds, **variables):
    """Whether a test passes, and how long it takes."""
    environment = dict(os.environ, CARGO_MANIFEST_DIR=str(copy), RAYON_NUM_THREADS="2", **variables)
    command = [program, "--exact", test, "--test-threads", "1"]
    begin = time.time()
    process = subprocess.Popen(
        command, cwd=copy, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )
    try:
        passes = process.wait(seconds) == 0
    except subprocess.TimeoutExpired:
        passes = False
    # whatever it has started goes with it
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    return passes, time.time() - begin


def coverage(folder, copy, found):
    """For every test that passes: its seconds, and the faults that it comes by."""
    known = folder / "coverage.json"
    tests = json.loads(known.read_text()) if known.exists() else {}
    for name, program in found.items():
        listed = subprocess.run([program, "--list"], cwd=copy, capture_output=True, text=True).stdout
        for test in re.findall(r"^(.*): test$", listed, re.M):
            if f"{name} {test}" in tests:
                continue
            passed = folder / "passed"
            passed.unlink(missing_ok=True)
            passes, seconds = run(copy, program, test, 600, ENROC_FAULTS_PASSED=str(passed))
            numbers = sorted(set(map(int, passed.read_text().split()))) if passed.exists() else []
            tests[f"{name} {test}"] = [seconds, numbers if passes else []]
            known.write_text(json.dumps(tests))
    return tests


def verdict(copy, found, number, tests):
    """What becomes of a fault: killed by a test, survived, or reached by none."""
    spent = 0
    for seconds, test in tests:
        name, path = test.split(" ", 1)
        passes, took = run(copy, found[name], path, max(HANGS, SLOWER * seconds), ENROC_FAULT=str(number))
        spent += took
        if not passes:
            return f"killed by {test}"
        if spent > ENOUGH:
            break
    return "survived" if tests else "unreached"


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    folder, seed = pathlib.Path(sys.argv[1]).resolve(), int((sys.argv[2:] or ["1"])[0])
    copy, built = folder / "copy", folder / "built.json"
    if not built.exists():
        built.parent.mkdir(parents=True, exist_ok=True)
        built.write_text(json.dumps(programs(plant(copy, seed, []))))
    found = json.loads(built.read_text())
    reached = collections.defaultdict(list)
    for test, (seconds, numbers) in coverage(folder, copy, found).items():
        for number in numbers:
            reached[number].append((seconds, test))
    faults = [line.split("\t") for line in (folder / "faults.tsv").read_text().splitlines()]
    random.Random(seed).shuffle(faults)
    results = folder / "results.tsv"
    done = [line.split("\t") for line in results.read_text().splitlines()] if results.exists() else []
    numbers = {line[0] for line in done}
    with open(results, "a") as file:
        for fault in faults:
            if fault[0] not in numbers:
                told = verdict(copy, found, fault[0], sorted(reached[int(fault[0])]))
                done.append([fault[0], told, *fault[1:]])
                file.write("\t".join(done[-1]) + "\n")
                file.flush()
    rooms = collections.defaultdict(collections.Counter)
    for line in done:
        rooms[line[2]][line[1].split()[0]] += 1
    print("| room | killed | survived | unreached |\n|---|---|---|---|")
    for room, counts in rooms.items():
        print(f"| {room} | {counts['killed']} | {counts['survived']} | {counts['unreached']} |")


if __name__ == "__main__":
    main()
