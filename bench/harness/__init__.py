# SPDX-License-Identifier: MIT
"""Measures Mugrad and its peers; bench/run is the way in."""
