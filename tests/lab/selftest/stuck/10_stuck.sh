#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A guest that is busy for longer than it may be.
# timeout: 900
sleep 900
