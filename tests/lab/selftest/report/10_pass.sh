#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
echo "all is well"
