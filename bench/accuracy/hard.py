#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Floating-point numbers beside multiples of pi / 2: for each exponent the one that is nearest to a multiple.

usage: python3 bench/accuracy/hard.py 53|24     prints them as C++ numbers, nearest first; 53 bits of mantissa, or 24
source  Muller, Elementary Functions, ch. 11: m 2^e 2/pi is nearly whole for denominators m of a continued fraction
"""
import sys

BITS = 1400  # of 2 / pi, as an integer


def arctan_inverse(n, one):
    total = term = one // n
    k, sign = 1, -1
    while term:
        term //= n * n
        k += 2
        total, sign = total + sign * (term // k), -sign
    return total


def nearest(e, places, two_by_pi):
    """m from 2^(places - 1) to 2^places, and how far m 2^e 2/pi is from a whole number."""
    one = 1 << BITS
    alpha = (two_by_pi << e if e >= 0 else two_by_pi >> -e) % one
    low, high = 1 << (places - 1), 1 << places
    a, b, q, before = alpha, one, 1, 0  # remainders of Euclid's algorithm, denominators of convergents
    found = []
    while a and q < high:
        step = b // a
        for k in {0, 1, step // 2, step - 1, step}:  # between two convergents as well
            m = before + k * q
            if 0 < m < high:
                found += [m * j for j in {-(-low // m), high // m} if low <= m * j < high]
        b, a, q, before = a, b - step * a, before + step * q, q
    distance = lambda m: min(m * alpha % one, -m * alpha % one)  # noqa: E731
    m = min(found, key=distance)
    return distance(m) / one, m


def main():
    places = int(sys.argv[1])
    largest = {53: 971, 24: 104}[places]
    guard = 1 << (BITS + 64)
    pi = 4 * (4 * arctan_inverse(5, guard) - arctan_inverse(239, guard))
    two_by_pi = (2 * guard << BITS) // pi
    found = []
    for e in range(1 - places, largest + 1):
        distance, m = nearest(e, places, two_by_pi)
        found.append((distance, float(m) * 2.0**e))
    for _, x in sorted(found):
        print(x.hex())


main()
