"""Prints the nanoseconds a URL that w3lib's canonicalize_url takes: python w3lib-key.py LIST

Without LIST it prints the version."""

import sys
import time

import w3lib
from w3lib.url import canonicalize_url

if len(sys.argv) < 2:
    print(w3lib.__version__)
else:
    with open(sys.argv[1], encoding="latin-1") as file:
        urls = file.read().split("\n")
    begin = time.perf_counter_ns()
    for url in urls:
        try:
            canonicalize_url(url)
        except ValueError:
            pass
    print((time.perf_counter_ns() - begin) / len(urls))
