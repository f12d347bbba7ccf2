#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
echo "the first line"
echo "expected apples, got pears"
exit 3
