"""Normalizes URLs with can_ada: python can-ada.py WAY LIST ROUNDS [OUT]. bench/peers/parsers.mjs says what it prints."""

import sys
import time

from can_ada import parse


def href(url):
    try:
        return parse(url).href
    except ValueError:
        return ""


def lines():
    return "".join([href(line) + "\n" for line in text.decode().split("\n")[:-1]]).encode()


def strings():
    return [href(url) for url in urls]


def run():
    begin = time.perf_counter_ns()
    result = way()
    return (time.perf_counter_ns() - begin) / len(urls), result


way = {"lines": lines, "strings": strings}[sys.argv[1]]
with open(sys.argv[2], "rb") as file:
    text = file.read()
urls = text.decode().split("\n")[:-1]
warm = time.perf_counter() + 0.5
while time.perf_counter() < warm:
    run()
times = sorted(run()[0] for _ in range(int(sys.argv[3])))
print(times[0], times[len(times) // 2])
if len(sys.argv) > 4:
    result = way()
    with open(sys.argv[4], "wb") as file:
        file.write(result if way is lines else "".join(f"{url}\n" for url in result).encode())
