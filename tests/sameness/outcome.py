# SPDX-License-Identifier: MIT
"""What a run did, as fields to compare: from the program's own report, and from the target."""
import hashlib
import json
import re

import zones

SECTOR = 512


def of_report(text):
    """Fields of a report with --output-format=normal,json. A program that refused the lines
    moved nothing, and has no list of jobs."""
    fields = {"resets": zone_resets(text)}
    report = the_json(text)
    jobs = report["jobs"] if report else []
    for direction in ("read", "write", "trim"):
        for field, key in (("bytes", "io_bytes"), ("ios", "total_ios"), ("short", "short_ios")):
            fields[f"{direction}.{field}"] = sum(job[direction][key] for job in jobs)
    fields["syncs"] = sum(job["sync"]["total_ios"] for job in jobs)
    if report:
        fields["jobs"] = [" ".join(f"{d} {job[d]['io_bytes']}" for d in ("read", "write", "trim")
                                   if job[d]["io_bytes"]) for job in jobs]
        fields["errors"] = [job["error"] for job in jobs]
    return fields


def the_json(text):
    """The JSON object among the other text; None where nothing was run."""
    start = text.find("\n{\n") + 1 if not text.startswith("{\n") else 0
    end = text.find("\n}\n", start)
    if not text.startswith("{", start) or end < 0:
        return None
    return json.loads(text[start:end + 2])


def zone_resets(text):
    """From the lines of the directions: fio's JSON has no such number. All lines of a job's
    block say the same."""
    total = most = 0
    for line in text.splitlines():
        if ": (groupid=" in line:
            total, most = total + most, 0
        match = re.search(r"; (\d+) zone resets$", line)
        if match:
            most = max(most, int(match.group(1)))
    return total + most


def of_file(path):
    """Fields of a plain file: its size, what is in it, and how much of it is not zero."""
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return {"size": None}
    sectors = (content[at:at + SECTOR] for at in range(0, len(content), SECTOR))
    zeros = bytes(SECTOR)
    return {"size": len(content),
            "content": hashlib.sha256(content).hexdigest()[:16],
            "filled": SECTOR * sum(1 for sector in sectors if sector != zeros)}


def of_device(device):
    """Fields of a zoned device: each zone's pointer and condition, and sums of them."""
    written = [zone for zone in zones.report(device) if not zone.conventional]
    conditions = [zone.condition for zone in written]
    fields = {"zones": [f"{zone.filled // 1024}K {zone.condition}" for zone in written],
              "filled": sum(zone.filled for zone in written)}
    for condition in ("empty", "full"):
        fields[f"zones.{condition}"] = conditions.count(condition)
    return fields
