# SPDX-License-Identifier: MIT
"""Zones of a block device by the kernel's own calls (linux/blkzoned.h): starting blkzone for each
row would take longer than the row, in an emulated guest."""
import collections
import fcntl
import os
import struct

BLKREPORTZONE, BLKRESETZONE = 0xC0101282, 0x40101283
HEADER, ZONE = struct.Struct("<QII"), struct.Struct("<QQQBB6xQ24x")
SECTOR = 512
CONVENTIONAL = 1
CONDITIONS = {0: "-", 1: "empty", 2: "open", 3: "open explicitly", 4: "closed", 13: "read-only",
              14: "full", 15: "offline"}

# In bytes; `filled` is how far behind its start the write pointer is: all of a full zone.
Zone = collections.namedtuple("Zone", "start size capacity filled condition conventional")


def report(device):
    zones = []
    with open(device, "rb") as file:
        size = os.lseek(file.fileno(), 0, os.SEEK_END)
        at = 0
        while at < size:
            some = report_from(file, at)
            zones += some
            at = some[-1].start + some[-1].size
    return zones


def report_from(file, at, most=128):
    buffer = bytearray(HEADER.size + most * ZONE.size)
    HEADER.pack_into(buffer, 0, at // SECTOR, most, 0)
    fcntl.ioctl(file, BLKREPORTZONE, buffer)
    _, count, _ = HEADER.unpack_from(buffer)
    return [zone_of(*ZONE.unpack_from(buffer, HEADER.size + i * ZONE.size)) for i in range(count)]


def zone_of(start, length, pointer, kind, condition, capacity):
    name = CONDITIONS[condition]
    filled = capacity if name == "full" else pointer - start
    return Zone(start * SECTOR, length * SECTOR, capacity * SECTOR, filled * SECTOR, name,
                kind == CONVENTIONAL)


def reset_all(device):
    with open(device, "wb") as file:
        size = os.lseek(file.fileno(), 0, os.SEEK_END)
        fcntl.ioctl(file, BLKRESETZONE, struct.pack("<QQ", 0, size // SECTOR))
