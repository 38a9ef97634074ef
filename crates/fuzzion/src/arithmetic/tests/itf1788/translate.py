"""Writes the test vectors of IEEE 1788 in this folder, one case to a line.

The vectors are those of ITF1788 under the Apache License 2.0 (see NOTICE here), read from the Rust text that the package
inari 2.0.0 (crates.io) has of them, where every number has its shortest digits:

    python3 translate.py PATH/inari-2.0.0/tests/itf1788_tests

A line is `operation operands = result`: an interval is its two bounds or `empty`, a power is a whole number.
"""

import re
import sys
from pathlib import Path

# What is taken from each file: the word of the Rust text, and ours.
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
# Test vectors of IEEE 1788 from ITF1788, libieeep1788_{source}.itl, in a form of our own (translate.py); see NOTICE.
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
    """The text with every interval as [lower upper] or [empty]."""
    text = text.replace("f64::NEG_INFINITY", "-inf").replace("f64::INFINITY", "inf")
    text = text.replace("I::EMPTY", "[empty]").replace("I::ENTIRE", "[-inf inf]")

    def interval(found):
        lower, upper = float(found[1]), float(found[2])
        if lower > upper or lower == float("inf") or upper == -float("inf"):
            return "[empty]"
        return f"[{digits(found[1])} {digits(found[2])}]"

    return re.sub(rf"n2i\(\s*({NUMBER}),\s*({NUMBER})\s*,?\s*\)", interval, text)


def digits(number):
    """The shortest digits, a whole number without a point."""
    text = repr(float(number))
    return text.removesuffix(".0")


def operation(expression):
    """The operation and its operands, if it has the form of one."""
    if found := re.fullmatch(rf"-({INTERVAL})", expression):
        return "neg", [found[1]]
    if found := re.fullmatch(rf"({INTERVAL}) ([-+*/]) ({INTERVAL})", expression):
        return found[2], [found[1], found[3]]
    if found := re.fullmatch(rf"({INTERVAL}) ?\.(\w+)\((.*)\)", expression):
        return found[2], [found[1]] + re.findall(rf"{INTERVAL}|-?\d+", found[3])
    return None, []


def cases(text):
    """Every case of a file as (operation, operands, result)."""
    for name, body in re.findall(r"fn minimal_(\w+)_test\(\) \{(.*?)\n\}", text, re.S):
        if name.endswith("_dec"):
            continue
        found = re.findall(r"(assert\w*)!\((.*?)\);\n", body + "\n", re.S)
        assert len(found) == body.count("assert"), f"{name}: a case is not read"
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
    for source, words in OPERATIONS.items():
        text = (folder / f"libieeep1788_{source}.rs").read_text()
        assert "Licensed under the Apache License, Version 2.0" in text, source
        lines = []
        for word, operands, result in cases(text):
            if word in words:
                plain = result if result in ("true", "false") or result[0] == "[" else digits(result.replace("f64::NAN", "nan"))
                plain = " ".join([words[word], *operands, "=", plain])
                lines.append(plain.replace("[", "").replace("]", ""))
        (here / f"{source}.txt").write_text(HEAD.format(source=source) + "\n".join(lines) + "\n")
        print(source, len(lines))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
