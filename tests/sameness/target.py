# SPDX-License-Identifier: MIT
"""What rows run on. Each target knows its facts, can be put into the state before a row, gives
options that a program needs to use it, and tells its fields afterwards."""
import pathlib

import outcome
import zones

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
        self.facts = {"zone": MIB, "capacity": capacity, "zones": 16, "seq": 0}
        self.options = ["--filename=f", "--zonemode=zbd", "--zonesize=1m",
                        f"--zonecapacity={capacity}"]


class ZonedDevice:
    """A zoned block device, which the kernel reports on."""
    at_once = False

    def __init__(self, device, kind):
        self.kind, self.device = kind, device
        every = zones.report(device)
        first = next(zone for zone in every if not zone.conventional)
        self.facts = {"zone": first.size, "capacity": first.capacity, "zones": len(every),
                      "seq": first.start, "limit": open_limit(device)}
        self.options = [f"--filename={device}", "--zonemode=zbd", "--direct=1"]

    def set_up(self, row, folder):
        zones.reset_all(self.device)

    def fields(self, folder):
        return outcome.of_device(self.device)


def open_limit(device):
    path = pathlib.Path("/sys/block", pathlib.Path(device).name, "queue/max_open_zones")
    return int(path.read_text())


FILES = [PlainFile()]
ZONES_ON_FILES = [ZonesOnFile("overlay", MIB), ZonesOnFile("overlay_gap", 3 * MIB // 4)]
