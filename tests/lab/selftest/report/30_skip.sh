#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
echo "no apples to be had"
exit 77
