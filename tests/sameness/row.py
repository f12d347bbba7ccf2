# SPDX-License-Identifier: MIT
"""A row of the table: job lines for both programs, and how their outcomes may differ."""
import dataclasses
import re

@dataclasses.dataclass(frozen=True)
class Row:
    """`options` are given to both programs. Every field of the outcome (outcome.py) must be
    the same in both, except for

    * `vary`: fields in which random choices show; two runs of one program differ there too;
    * `differs`: field -> (fio's value, zonal's value). Both are checked: a row fails as well
      when its difference is gone. `why` says who is right, and is in docs/fio-differences.md.

    `exits` is what both exit with, unless `differs` has `exit`. A row that is to succeed must
    move data, unless it is `idle`. `says` is in the output of both."""
    name: str
    options: str
    on: tuple = ()  # kinds of target it runs on; () is all of its table's
    lab: str = ""  # the one device on which it runs in every test run
    size: int = 16 << 20  # of the plain file before the run; None: there is no file
    fill: int = 0  # the byte that file is full of
    prepare: str = ""  # options of a job that fio runs first, for both programs
    job_file: str = ""  # instead of options
    exits: int = 0
    says: str = ""
    vary: tuple = ()
    differs: dict = dataclasses.field(default_factory=dict)
    why: str = ""
    idle: bool = False

    def __post_init__(self):
        if bool(self.differs) != bool(self.why):
            raise ValueError(f"{self.name}: a difference needs its reason, a reason its difference")


def expand(text, facts):
    """`text` with the expressions in braces worked out from the target's facts."""
    return re.sub(r"\{([^{}]*)\}", lambda match: str(eval(match.group(1), {}, facts)), text)


def worked_out(value, facts):
    """A value of `differs`, with its expressions: "{2 * zone}" is a number."""
    if isinstance(value, list):
        return [worked_out(entry, facts) for entry in value]
    if not isinstance(value, str):
        return value
    text = expand(value, facts)
    return int(text) if value.startswith("{") else text
