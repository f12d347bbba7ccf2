#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
echo c >/proc/sysrq-trigger
sleep 60
