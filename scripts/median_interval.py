"""The median's distribution-free interval, for what is measured in pairs."""

import math


def median_interval(values, confidence=0.95):
    """Two of the values, by order statistics, between which the median lies with at least this confidence; least and largest of few."""
    ordered = sorted(values)
    left_out, tail = 0, 0.5 ** len(ordered)
    while left_out + 1 < len(ordered) / 2 and 2 * tail <= 1 - confidence:
        left_out += 1
        tail += math.comb(len(ordered), left_out) * 0.5 ** len(ordered)
    first = max(left_out - 1, 0)
    return ordered[first], ordered[len(ordered) - 1 - first]
