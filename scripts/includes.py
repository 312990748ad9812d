#!/usr/bin/env python3
"""Which folders of src/ include which: checks the direction, and draws the picture in docs/architecture.md.

  scripts/includes.py             prints each include that points the wrong way, and fails if there is any
  scripts/includes.py --draw      writes the picture
"""

import pathlib
import re
import sys

# Each folder may include public headers of those before it, and private headers of its own.
ORDER = [
    "base", "platform", "model", "schedule", "program", "predict", "shm", "transport", "samples", "measure",
    "blade", "estimate", "launch", "validate", "optimize", "tuning", "preload", "report", "job", "bench", "papers", "cli", "python",
]  # fmt: skip
# ... except these: a model knows no schedule, nor a schedule a model; estimating never measures; shared memory passes
# messages and knows nothing of their use; the Python module and the command are beside each other.
FORBIDDEN = {("schedule", "model"), ("program", "model"), ("estimate", "measure"), ("python", "cli")} | {
    ("shm", folder) for folder in ("model", "schedule", "program", "predict")
}
# Where <mpi.h> may stand: folders, and files by the beginning of their path below src/.
MPI_PLACES = (
    "transport/mpi/", "measure/programs/mpi", "bench/programs/mpi", "bench/programs/preload", "preload/", "tuning/prove/programs/prove",
)  # fmt: skip

INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]')
PICTURE = pathlib.Path("docs/images/folders.svg")


def complaint(folder, is_public, place, included):
    """Why the file at `place` (below src/ or include/postage/, in `folder`) may not include `included`, or None."""
    if included in ("mpi.h", "smpi/smpi.h"):
        return None if place.startswith(MPI_PLACES) else "MPI is for transport/mpi, preload and the MPI programs of measure, bench and tuning"
    target = included.removeprefix("postage/")
    to = target.split("/")[0]
    if to not in ORDER or "/" not in target:
        return None if not included.startswith("postage/") else "no such folder"
    if ORDER.index(to) > ORDER.index(folder) or (folder, to) in FORBIDDEN:
        return f"{folder}/ may not include {to}/"
    if target == included and (to != folder or is_public):
        return f"a private header of {to}/"
    return None


def includes_of(root):
    """(path, its folder, its path below src/ or include/postage/, line number, what it includes) of each include."""
    for base in [root / "src", root / "include" / "postage"]:
        for path in sorted(base.rglob("*.[ch]pp")):
            place = path.relative_to(base).as_posix()
            yield path, place.split("/")[0], place, 0, None
            for number, line in enumerate(path.read_text().splitlines(), 1):
                include = INCLUDE.match(line)
                if include:
                    yield path, place.split("/")[0], place, number, include[1]


def violations(root):
    """One line for each include below `root` that points the wrong way, and how many files there were."""
    found = []
    files = 0
    for path, folder, place, number, included in includes_of(root):
        name = path.relative_to(root)
        if included is None:
            files += 1
            if folder not in ORDER:
                found.append(f"{name}: {folder}/ has no place in the order of folders")
        elif folder in ORDER:
            why = complaint(folder, name.parts[0] == "include", place, included)
            if why:
                found.append(f"{name}:{number}: {why}: {included}")
    return found, files


def edges_of(root):
    """Pairs of folders of which the first includes the second."""
    edges = set()
    for _, folder, _, _, included in includes_of(root):
        to = (included or "").removeprefix("postage/").split("/")[0]
        if folder in ORDER and to in ORDER and to != folder:
            edges.add((folder, to))
    return edges


def reduced(edges):
    """Without those that follow from others: of a -> b -> c and a -> c, the last."""
    below = {}
    for folder in ORDER:
        direct = {to for of, to in edges if of == folder}
        below[folder] = direct.union(*(below[to] for to in direct)) if direct else set()
    return {(a, c) for a, c in edges if not any((a, b) in edges and c in below[b] for b in ORDER)}


def layers_of(edges):
    """Each folder's height: 0 for what includes none, else one above the highest that it includes."""
    heights = {}
    for folder in ORDER:
        heights[folder] = max((heights[to] + 1 for of, to in edges if of == folder), default=0)
    layers = [[] for _ in range(max(heights.values()) + 1)]
    for folder in ORDER:
        layers[heights[folder]].append(folder)
    return [layer for layer in layers if layer]


WIDTH, ROW, BOX_WIDTH, BOX_HEIGHT, MARGIN = 760, 72, 104, 32, 24
STYLE = """<style>
  text { font: 14px sans-serif; text-anchor: middle; dominant-baseline: central; fill: #1b1f24 }
  rect { fill: #eef3fa; stroke: #4a6fa5; rx: 4 }
  path { stroke: #6b7684; fill: none; marker-end: url(#arrow) }
</style>
<defs><marker id="arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto">
  <path d="M0 0L8 4L0 8z" style="fill: #6b7684; stroke: none; marker-end: none"/></marker></defs>"""


def mean_x(folder, edges, places):
    """Where the folders that it includes stand, on average: arrows that go straight down cross few others."""
    below = [places[to][0] for of, to in reduced(edges) if of == folder]
    return sum(below) / len(below) if below else 0


def picture(root):
    """An SVG: a row for each layer, base at the bottom, an arrow from each folder to those that it includes."""
    edges = edges_of(root)
    layers = layers_of(edges)
    places = {}
    for height, layer in enumerate(layers):
        y = MARGIN + (len(layers) - 1 - height) * ROW
        for i, folder in enumerate(sorted(layer, key=lambda folder: mean_x(folder, edges, places))):
            # Rows are shifted against one another, so that an arrow past a row passes between its boxes.
            shift = (height % 3 - 1) * BOX_WIDTH * 0.7
            places[folder] = (WIDTH * (i + 1) / (len(layer) + 1) + shift, y)
    total = 2 * MARGIN + (len(layers) - 1) * ROW + BOX_HEIGHT
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {total}" width="{WIDTH}" height="{total}" role="img">',
        "<title>Folders of src/: arrows point to what each includes</title>",
        STYLE,
        f'<rect width="{WIDTH}" height="{total}" style="fill: #fff; stroke: none"/>',
    ]
    for of, to in sorted(reduced(edges)):
        (x1, y1), (x2, y2) = places[of], places[to]
        bottom = y1 + BOX_HEIGHT
        lines.append(f'<path d="M{x1:.0f} {bottom}C{x1:.0f} {bottom + 24} {x2:.0f} {y2 - 28} {x2:.0f} {y2 - 2}"/>')
    for folder, (x, y) in places.items():
        lines.append(f'<rect x="{x - BOX_WIDTH / 2:.0f}" y="{y}" width="{BOX_WIDTH}" height="{BOX_HEIGHT}"/>')
        lines.append(f'<text x="{x:.0f}" y="{y + BOX_HEIGHT // 2}">{folder}</text>')
    return "\n".join([*lines, "</svg>", ""])


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    if sys.argv[1:] == ["--draw"]:
        (root / PICTURE).write_text(picture(root))
        return 0
    found, files = violations(root)
    print("\n".join(found) if found else f"includes: {files} sources and headers include in one direction")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
