# SPDX-License-Identifier: MIT
"""What rows run on. Each target knows its facts, can be put into the state before a row, gives
options that a program needs to use it, and tells its fields afterwards."""
import pathlib
import subprocess

import outcome

MIB = 1 << 20


class PlainFile:
    """A file in the current folder of the run."""
    kind = "file"
    facts = {}
    options = ["--filename=f"]
    at_once = True  # rows may run beside each other

    def set_up(self, row, folder):
        if row.size is not None:
            (folder / "f").write_bytes(bytes([row.fill]) * row.size)

    def fields(self, folder):
        return outcome.of_file(folder / "f")


class ZonesOnFile(PlainFile):
    """Zones that the programs lay over a plain file; empty at the start of each run."""

    def __init__(self, kind, capacity):
        self.kind = kind
        self.facts = {"zone": MIB, "capacity": capacity, "zones": 16, "seq": 0, "block": 512,
                      "limit": 0}
        self.options = ["--filename=f", "--zonemode=zbd", "--zonesize=1m",
                        f"--zonecapacity={capacity}"]


class ZonedDevice:
    """A zoned block device, which the kernel reports on."""
    at_once = False

    def __init__(self, device, kind):
        self.kind, self.device = kind, device
        zones = outcome.zones_of(device)
        first = next(zone for zone in zones if zone[5] != 1)
        queue = pathlib.Path("/sys/block", pathlib.Path(device).name, "queue")
        self.facts = {"zone": first[1], "capacity": first[2], "zones": len(zones),
                      "seq": first[0],
                      "block": int((queue / "logical_block_size").read_text()),
                      "limit": int((queue / "max_open_zones").read_text())}
        self.options = [f"--filename={device}", "--zonemode=zbd", "--direct=1"]

    def set_up(self, row, folder):
        subprocess.run(["blkzone", "reset", self.device], check=True)

    def fields(self, folder):
        return outcome.of_device(self.device)


FILES = [PlainFile()]
ZONES_ON_FILES = [ZonesOnFile("overlay", MIB), ZonesOnFile("overlay_gap", 3 * MIB // 4)]
