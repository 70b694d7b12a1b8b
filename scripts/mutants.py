#!/usr/bin/env python3
"""Breaks the engine in known ways, one after the other, and soaks each until a checker finds it.

usage: scripts/mutants.py [--shard I/N] [--seconds S] [--only TEXT]

Each patch of Tests/Mutants is applied to a copy of the sources in .build/mutants/tree, which is built and soaked for at most
S seconds (60) on one core. A mutant counts as found when a checker says what is wrong: a build failure, a time-out, or a world
that gives up does not. The sources without a patch are soaked first, and have to be clean.

Results are kept in .build/mutants/results by the digest of patch and sources: what was interrupted goes on where it was (what was
not found is tried again), and the results of shards that ran on several machines are copied together. When there is one for every mutant, docs/mutants.md is
written. Two at a time in one checkout wait for each other, because they share the copy.

Exit status: 0 all is well so far, 1 a patch does not apply, a mutant does not build, the soak without one is not clean, or fewer
than 95 in a hundred are found, or a line of what was found does not replay, 2 usage.
"""

import argparse
import fcntl
import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PATCHES = ROOT / "Tests/Mutants"
HOME = ROOT / ".build/mutants"
TREE = HOME / "tree"
RESULTS = HOME / "results"
PAGE = ROOT / "docs/mutants.md"
SOAK = TREE / ".build/release/vlcsim"

# What has to be found, in hundredths.
WANTED = 95
# Kinds of a world's findings: one that gives up, or ends what takes too long, has not said what is wrong.
NOT_COUNTED = {"hang", "stepLimit", "unmodelled", "foreignEnqueue", "nondeterminism", "differs"}
# What a soak takes beside its time, to shrink what it found and to end.
PATIENCE = 300


class Failure(Exception):
    """The bench fails, and this sentence says why."""


def main():
    options = arguments()
    HOME.mkdir(parents=True, exist_ok=True)
    with open(HOME / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        mutants = [Mutant(path) for path in sorted(PATCHES.glob("*.patch"))]
        files = sources()
        copy(files)
        for mutant in mutants:
            if not git_apply(mutant.path, check=True):
                raise Failure(f"{mutant.name} does not apply: write it anew for the sources of now.")
        digest = digest_of(files)
        share = mutants[options.part - 1 :: options.parts]
        share = [mutant for mutant in share if options.only in mutant.name]
        soak_clean(digest, options)
        for mutant in share:
            soak_mutant(mutant, digest, files, options)
        return report(mutants, share, digest, options)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--shard", default="1/1", metavar="I/N", help="the I-th of N parts")
    parser.add_argument("--seconds", type=int, default=60, metavar="S", help="the longest soak of a mutant")
    parser.add_argument("--only", default="", metavar="TEXT", help="the mutants whose names hold the text")
    options = parser.parse_args()
    shard = re.fullmatch(r"([1-9]\d*)/([1-9]\d*)", options.shard)
    if not shard or int(shard[1]) > int(shard[2]):
        parser.error("a shard is I/N, with I from 1 to N")
    if options.seconds < 1:
        parser.error("a soak takes a second at least")
    options.part, options.parts = int(shard[1]), int(shard[2])
    return options


def say(text):
    print(text, flush=True)


# The patches.


class Mutant:
    def __init__(self, path):
        self.path = path
        self.name = path.stem
        self.bytes = path.read_bytes()
        first = self.bytes.decode().split("\n")[0]
        if not first.startswith("# kind: "):
            raise Failure(f"{self.name} has no header: its first line says `# kind: ...`.")
        self.kind = first.removeprefix("# kind: ").strip()
        header = self.bytes.decode().split("\n\n")[0].replace("\n# ", " ")
        # What is known of one that nothing finds.
        self.reason = re.sub(r".*?(?=Survives)", "", header) if "Survives" in header else ""


def git_apply(patch, check=False):
    # The copy is inside a repository that ignores it, and there git would apply nothing and say that all is well.
    outside = dict(os.environ, GIT_CEILING_DIRECTORIES=str(TREE.parent))
    for name in ("GIT_DIR", "GIT_WORK_TREE"):
        outside.pop(name, None)
    command = ["git", "apply"] + (["--check"] if check else []) + [str(patch)]
    done = subprocess.run(command, cwd=TREE, env=outside, capture_output=True, text=True)
    if done.returncode != 0:
        say(done.stderr.strip())
    return done.returncode == 0


# The copy.


def sources():
    """The files that a build reads, by their paths from the root, as they are now."""
    # A package is read only where all its targets are.
    folders = ["Sources", "Simulator", "Tests", "Fixtures", "Benchmarks"]
    paths = [ROOT / "Package.swift"]
    for folder in folders:
        paths += [path for path in sorted((ROOT / folder).rglob("*")) if path.is_file()]
    ignored = {"__pycache__", ".build", "Mutants"}
    paths = [path for path in paths if ignored.isdisjoint(path.relative_to(ROOT).parts)]
    return {path.relative_to(ROOT): path for path in paths}


def copy(files):
    """Makes the tree what the sources are. What is the same is left alone, so that a build goes on where the last one was."""
    TREE.mkdir(parents=True, exist_ok=True)
    for place, source in files.items():
        target = TREE / place
        content = source.read_bytes()
        if target.is_file() and target.read_bytes() == content:
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
        shutil.copymode(source, target)
    for path in TREE.rglob("*"):
        place = path.relative_to(TREE)
        if path.is_file() and place.parts[0] != ".build" and place not in files:
            path.unlink()


def digest_of(files):
    """What a soak depends on besides the patch."""
    digest = hashlib.sha256()
    for place in sorted(files):
        if place.parts[0] in ("Package.swift", "Sources", "Simulator"):
            digest.update(f"{place}\n".encode() + hashlib.sha256(files[place].read_bytes()).digest())
    return digest.hexdigest()


# Results.


def result_path(patch, digest, options):
    key = hashlib.sha256(patch + f"\n{digest} {options.seconds}".encode()).hexdigest()
    return RESULTS / f"{key[:32]}.json"


def known(path):
    try:
        return json.loads(path.read_text())
    except (OSError, ValueError):
        return None


def keep(path, result):
    RESULTS.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(f".{os.getpid()}")
    partial.write_text(json.dumps(result, indent=1) + "\n")
    partial.replace(path)


# Building and soaking.


def run(command, seconds, core=False):
    """Runs a command on one core or on all, and ends it with what it began. Its status, nil for a time-out; and its output."""

    def prepare():
        if core and hasattr(os, "sched_setaffinity"):
            os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})

    child = subprocess.Popen(
        command, cwd=TREE, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        start_new_session=True, preexec_fn=prepare)
    try:
        output, errors = child.communicate(timeout=seconds)
        return child.returncode, output, errors
    except subprocess.TimeoutExpired:
        return None, "", ""
    finally:
        # Of an interruption, too: nothing is left behind that burns a core.
        try:
            os.killpg(child.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        child.wait()


def build(name):
    began = time.monotonic()
    status, output, errors = run(["swift", "build", "-c", "release", "--product", "vlcsim"], 3600)
    if status != 0:
        complaints = [line for line in (output + errors).splitlines() if "error:" in line]
        raise Failure(f"{name} does not build:\n" + "\n".join(complaints[:10] or [(output + errors)[-2000:]]))
    return time.monotonic() - began


def soak(options):
    """What the soak says, as a result without a name."""
    command = [str(SOAK), "soak", "--seconds", str(options.seconds), "--seed", "1", "--json", "--first"]
    status, output, errors = run(command, options.seconds + PATIENCE, core=True)
    if status is None:
        return {"outcome": "time-out"}
    try:
        said = json.loads(output)
    except ValueError:
        return {"outcome": "failed", "why": f"status {status}: {(errors or output)[-1000:]}"}
    result = {name: said.get(name) for name in ("executions", "seconds", "cpuSeconds")}
    findings = said.get("findings") or []
    counted = [finding for finding in findings if kind(finding) not in NOT_COUNTED]
    if status == 0 and not findings:
        return result | {"outcome": "survived"}
    if status != 1 or not counted:
        others = "; ".join(f"{finding['checker']}, {kind(finding)}: {finding['message'][:300]}" for finding in findings)
        return result | {"outcome": "failed", "why": f"status {status}: {others or errors[-1000:]}"}
    finding = counted[0]
    result |= {name: finding.get(name) for name in ("checker", "message", "workload", "strategy")}
    result |= {"outcome": "found", "kind": kind(finding)}
    result |= {"executions": finding.get("executionsToFind") or result["executions"]}
    line, small = finding.get("schedule"), finding.get("shrunk")
    result |= {"schedule": line, "shrunk": small, "replays": bool(line) and replays(line)}
    if small:
        told = story(small)
        result |= {"choices": choices(small), "shrunkReplays": told is not None, "lines": told}
    return result


def kind(finding):
    """What the world calls it; None where the finding has no line."""
    text = re.search(r" finding=(\S*)", finding.get("schedule") or "")
    return text[1] if text else None


def replays(line):
    return run([str(SOAK), "replay", line], PATIENCE, core=True)[0] == 1


def story(line):
    """How many lines a replay tells before its swim lanes; None where it finds nothing."""
    status, output, _ = run([str(SOAK), "replay", line], PATIENCE, core=True)
    return output.split("\nstep ")[0].count("\n") + 1 if status == 1 else None


def choices(line):
    """How many choices of a line say something; the others are by default."""
    text = re.search(r" choices=(\S*)", line)
    if not text:
        return None
    runs = [run.partition("*") for run in text[1].split(",") if run]
    return sum(int(times or 1) for choice, _, times in runs if choice != ".")


def soak_clean(digest, options):
    path = result_path(b"", digest, options)
    result = known(path)
    if result is None:
        say("without a mutant: building")
        build("the engine without a mutant")
        result = soak(options)
        if result["outcome"] == "survived":
            keep(path, result)
    if result["outcome"] != "survived":
        why = result.get("why") or f"{result.get('checker')}: {result.get('message')}\n{result.get('schedule')}"
        raise Failure(f"the soak without a mutant is not clean ({result['outcome']}): {why}")
    say(f"without a mutant: clean, {result['executions']} executions")


def soak_mutant(mutant, digest, files, options):
    path = result_path(mutant.bytes, digest, options)
    result = known(path)
    # What failed for a reason of its own is tried again the next time.
    if result is None or result["outcome"] not in ("found", "survived"):
        # Also after an interruption: the copy is what the sources are, and then this one patch.
        copy(files)
        if not git_apply(mutant.path):
            raise Failure(f"{mutant.name} does not apply: write it anew for the sources of now.")
        try:
            seconds = build(mutant.name)
            result = soak(options) | {"mutant": mutant.name, "buildSeconds": round(seconds, 1)}
        finally:
            copy(files)
        keep(path, result)
    mutant.result = result
    if result["outcome"] == "found":
        say(f"{mutant.name}: {found_by(result)} in {result['workload']}, {result['executions']} executions")
    else:
        say(f"{mutant.name}: {result['outcome'].upper()} {result.get('why', '')}".rstrip())


# The page.


def report(mutants, share, digest, options):
    for mutant in mutants:
        if not hasattr(mutant, "result"):
            mutant.result = known(result_path(mutant.bytes, digest, options))
    missing = [mutant for mutant in mutants if mutant.result is None]
    if missing:
        found = sum(mutant.result["outcome"] == "found" for mutant in share)
        say(f"{found} of {len(share)} found; {len(missing)} of {len(mutants)} mutants have no result yet")
        return 0 if 100 * found >= WANTED * len(share) else 1
    PAGE.write_text(page(mutants, options))
    found = [mutant for mutant in mutants if mutant.result["outcome"] == "found"]
    say(f"{len(found)} of {len(mutants)} found; {PAGE.relative_to(ROOT)} is written")
    if 100 * len(found) < WANTED * len(mutants):
        raise Failure(f"fewer than {WANTED} in a hundred are found.")
    stale = [mutant.name for mutant in found if not mutant.result.get("replays") or not mutant.result.get("shrunkReplays", True)]
    if stale:
        raise Failure(f"a line does not replay: {', '.join(stale)}.")
    return 0


def page(mutants, options):
    found = [mutant for mutant in mutants if mutant.result["outcome"] == "found"]
    others = [mutant for mutant in mutants if mutant.result["outcome"] != "found"]
    cpu = sum(mutant.result.get("cpuSeconds") or 0 for mutant in mutants)
    executions = sum(mutant.result.get("executions") or 0 for mutant in mutants)
    shrunk = sorted(mutant.result["choices"] for mutant in found if mutant.result.get("choices") is not None)
    replayed = [mutant for mutant in found if mutant.result.get("replays")]
    lines = [
        "# Mutants",
        "",
        "Is the soak any good? Each patch of `Tests/Mutants` breaks the engine as an engineer might, and says in its header what",
        "a user would see. Each up to 40 was written before it was known whether the soak finds it, and none is dropped for surviving;",
        "those from 41 on undo what was mended after the soak, or a reading of it, had found it.",
        "",
        f"A mutant is found when a checker says what is wrong within {options.seconds} s of one core. A build failure, a time-out, or a",
        "world that gives up does not count. Executions are those until the finding, CPU seconds those of the whole soak;",
        "*replays* is whether the finding's line of text finds it again, as it was found and made small; choices are those that the",
        "small line has to say, lines those of its story.",
        "",
        "Made by `make mutants`; not to be edited.",
        "",
        "| mutant | kind | found by | workload | executions | CPU s | replays | choices | lines |",
        "|---|---|---|---|--:|--:|---|--:|--:|",
    ]
    lines += [row(mutant) for mutant in mutants]
    median = f", {shrunk[len(shrunk) // 2]} choices in the median" if shrunk else ""
    lines += [
        "",
        f"{len(found)} of {len(mutants)} are found ({100 * len(found) // len(mutants)} %), in {executions} executions and "
        f"{cpu:.0f} CPU seconds. {len(replayed)} of the {len(found)} lines replay; {len(shrunk)} were shrunk{median}.",
        "",
        "Not found: " + (", ".join(f"`{mutant.name}`" for mutant in others) if others else "none") + ".",
        "",
    ]
    for mutant in others:
        if mutant.reason:
            lines += [f"`{mutant.name}` {mutant.reason[0].lower()}{mutant.reason[1:]}", ""]
    return "\n".join(lines)


def found_by(result):
    # A checker's own finding is a failure of the body; of the world's, the kind says more.
    own = result.get("kind") in (None, "failure")
    return result["checker"] if own else f"{result['checker']} ({result['kind']})"


def row(mutant):
    result = mutant.result
    is_found = result["outcome"] == "found"
    cpu = result.get("cpuSeconds")
    cells = [
        f"`{mutant.name}`",
        mutant.kind,
        found_by(result) if is_found else f"**{result['outcome']}**",
        result.get("workload") or "–",
        result.get("executions") if result.get("executions") is not None else "–",
        f"{cpu:.1f}" if cpu is not None else "–",
        ("yes" if result.get("replays") and result.get("shrunkReplays", True) else "**no**") if is_found else "–",
        result.get("choices") if result.get("choices") is not None else "–",
        result.get("lines") if result.get("lines") is not None else "–",
    ]
    return "| " + " | ".join(str(cell).replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        sys.exit(main())
    except Failure as failure:
        print(f"mutants.py: {failure}", file=sys.stderr)
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
