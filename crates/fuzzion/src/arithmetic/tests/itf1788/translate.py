"""Converts test vectors of IEEE 1788 to the files in this folder, one case per line.

The vectors are from ITF1788 under the Apache License 2.0 (see NOTICE), read from the Rust sources of the package inari 2.0.0
(crates.io), which write every number with its shortest digits:

    python3 translate.py PATH/inari-2.0.0/tests/itf1788_tests

A line has the form `operation operands = result`; an interval is written as its two bounds or `empty`, an exponent as an
integer.
"""

import re
import sys
from pathlib import Path

# Operations per file: the name in the Rust sources, and the name here.
OPERATIONS = {
    "elem": {
        "neg": "neg", "+": "add", "-": "sub", "*": "mul", "/": "div", "recip": "recip", "sqr": "sqr", "sqrt": "sqrt",
        "mul_add": "fma", "powi": "pown", "exp": "exp", "ln": "log", "abs": "abs", "min": "min", "max": "max",
    },
    "bool": {
        "is_entire": "isEntire", "subset": "subset", "disjoint": "disjoint", "precedes": "precedes",
        "strict_precedes": "strictPrecedes",
    },
    "num": {"wid": "wid"},
    "set": {"intersection": "intersection", "convex_hull": "convexHull"},
}

HEAD = """\
# Test vectors of IEEE 1788 from ITF1788, libieeep1788_{source}.itl, converted to another format by translate.py; see NOTICE.
#
# Copyright 2013-2015 Marco Nehmeier (nehmeier@informatik.uni-wuerzburg.de)
# Copyright 2015-2017 Oliver Heimlich (oheim@posteo.de)
#
# Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in compliance with
# the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software distributed under the License is distributed on an
# "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied. See the License for the specific
# language governing permissions and limitations under the License.
"""

NUMBER = r"-?(?:[0-9][0-9.e+-]*|inf)"
INTERVAL = rf"\[(?:empty|{NUMBER} {NUMBER})\]"


def intervals(text):
    """Rewrites every interval as [lower upper] or [empty]."""
    text = text.replace("f64::NEG_INFINITY", "-inf").replace("f64::INFINITY", "inf")
    text = text.replace("I::EMPTY", "[empty]").replace("I::ENTIRE", "[-inf inf]")

    def interval(found):
        lower, upper = float(found[1]), float(found[2])
        if lower > upper or lower == float("inf") or upper == -float("inf"):
            return "[empty]"
        return f"[{digits(found[1])} {digits(found[2])}]"

    return re.sub(rf"n2i\(\s*({NUMBER}),\s*({NUMBER})\s*,?\s*\)", interval, text)


def digits(number):
    """Shortest digits, without a decimal point for integers."""
    text = repr(float(number))
    return text.removesuffix(".0")


def operation(expression):
    """The operation and its operands, or None if the expression is not an operation."""
    if found := re.fullmatch(rf"-({INTERVAL})", expression):
        return "neg", [found[1]]
    if found := re.fullmatch(rf"({INTERVAL}) ([-+*/]) ({INTERVAL})", expression):
        return found[2], [found[1], found[3]]
    if found := re.fullmatch(rf"({INTERVAL}) ?\.(\w+)\((.*)\)", expression):
        return found[2], [found[1]] + re.findall(rf"{INTERVAL}|-?\d+", found[3])
    return None, []


def cases(text):
    """Yields every case of a file as (operation, operands, result)."""
    for name, body in re.findall(r"fn minimal_(\w+)_test\(\) \{(.*?)\n\}", text, re.S):
        if name.endswith("_dec"):
            continue
        found = re.findall(r"(assert\w*)!\((.*?)\);\n", body + "\n", re.S)
        assert len(found) == body.count("assert"), f"{name}: a case was not parsed"
        for macro, inside in found:
            inside = intervals(" ".join(inside.split()))
            if macro == "assert":
                result = "false" if inside.startswith("!") else "true"
                yield (*operation(inside.lstrip("!")), result)
            else:
                found = re.fullmatch(rf"(.*), ({INTERVAL}|true|false|f64::NAN|{NUMBER}),?", inside)
                yield (*operation(found[1].strip()), found[2])


def main(folder):
    here = Path(__file__).parent
    for source, names in OPERATIONS.items():
        text = (folder / f"libieeep1788_{source}.rs").read_text()
        assert "Licensed under the Apache License, Version 2.0" in text, source
        lines = []
        for name, operands, result in cases(text):
            if name in names:
                plain = result if result in ("true", "false") or result[0] == "[" else digits(result.replace("f64::NAN", "nan"))
                plain = " ".join([names[name], *operands, "=", plain])
                lines.append(plain.replace("[", "").replace("]", ""))
        (here / f"{source}.txt").write_text(HEAD.format(source=source) + "\n".join(lines) + "\n")
        print(source, len(lines))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
