# SPDX-License-Identifier: MIT
"""Judges the two outcomes of a row."""
from row import worked_out


def complaints(row, facts, fio, zonal):
    """What is not as the row says, a line each; none if all is well."""
    lines = []
    fields = compared(row, fio, zonal)
    for field in sorted(fields):
        got = (fio.get(field), zonal.get(field))
        if field in row.differs:
            expected = tuple(worked_out(value, facts) for value in row.differs[field])
            if got != expected:
                lines.append(f"{field}: fio {got[0]}, zonal {got[1]}; known is: fio {expected[0]}, "
                             f"zonal {expected[1]}")
        elif field not in row.vary and got[0] != got[1]:
            lines.append(difference(field, *got))
    lines += [f"{field}: not there to be compared" for field in set(row.differs) - fields]
    if "exit" not in row.differs and zonal["exit"] != row.exits:
        lines.append(f"exit: {zonal['exit']}, not {row.exits}")
    if row.exits == 0 and not row.idle and not moved(fio) and not moved(zonal):
        lines.append("neither moved any data")
    return lines


def compared(row, fio, zonal):
    """All fields; of a line that one program refused, and the other did not, what is known of
    that; of one that both refused, what both have."""
    if "exit" in row.differs:
        return set(row.differs)
    if fio["exit"] != 0 and zonal["exit"] != 0:
        return fio.keys() & zonal.keys()
    return fio.keys() | zonal.keys()


def moved(outcome):
    return any(outcome.get(f"{direction}.bytes") for direction in ("read", "write", "trim"))


def difference(field, fio, zonal):
    if isinstance(fio, list) and isinstance(zonal, list) and len(fio) == len(zonal):
        at = [i for i in range(len(fio)) if fio[i] != zonal[i]]
        return (f"{field}[{at[0]}]: fio {fio[at[0]]}, zonal {zonal[at[0]]} "
                f"({len(at)} entries differ)")
    return f"{field}: fio {fio}, zonal {zonal}"
