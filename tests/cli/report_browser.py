"""The report in a real browser, offline: it loads, logs nothing, fetches nothing; its charts are drawn, in light and dark; its tables
are sorted and copied; it fits 800 pixels and paper; what a reader of the screen needs is there."""

import json
import re
import shutil
import subprocess
import threading
import urllib.request

import runner
from runner import wait_for

FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync", "--window-size=1280,1600"]

DRAWN = """
return [...document.querySelectorAll('canvas')].map((canvas) => {
  const copy = document.createElement('canvas');  // read twice, a canvas of the page would make the browser warn
  [copy.width, copy.height] = [canvas.width, canvas.height];
  const context = copy.getContext('2d', {willReadFrequently: true});
  context.drawImage(canvas, 0, 0);
  const pixels = context.getImageData(0, 0, copy.width, copy.height).data;
  const seen = new Set();
  for (let i = 0; i < pixels.length; i += 4) if (pixels[i + 3] > 0) seen.add(pixels[i] >> 4 << 8 | pixels[i + 1] >> 4 << 4 | pixels[i + 2] >> 4);
  return seen.size;
});
"""


class Browser:
    """Chromium behind chromedriver's plain HTTP."""

    def __init__(self, folder):
        # The driver takes a port that is free and says which: one that was free a moment before need not be.
        self.driver = subprocess.Popen([shutil.which("chromedriver"), "--port=0"], stdout=subprocess.PIPE, text=True)
        found = (re.search(r"started successfully on port (\d+)", line) for line in self.driver.stdout)
        port = next((match[1] for match in found if match), None)
        assert port, "chromedriver says no port"
        self.reader = threading.Thread(target=self.driver.stdout.read, daemon=True)  # or the driver would wait for one
        self.reader.start()
        self.base = f"http://127.0.0.1:{port}"
        options = {"args": [*FLAGS, f"--user-data-dir={folder}/profile"]}
        capabilities = {"alwaysMatch": {"browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}}
        session = self.call("/session", {"capabilities": capabilities})
        self.base += "/session/" + session["sessionId"]

    def call(self, path, body=None, method=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data, {"Content-Type": "application/json"}, method=method)
        with urllib.request.urlopen(request, timeout=100) as answer:
            return json.load(answer)["value"]

    def run(self, script):
        return self.call("/execute/sync", {"script": script, "args": []})

    def close(self):
        self.call("", method="DELETE")  # ends the browser, which writes its profile until then
        self.driver.terminate()
        self.driver.wait()
        self.reader.join()
        self.driver.stdout.close()


GAINS = {
    "format": "postage-preload-gains", "version": 1, "library": "openmpi", "host": "a", "ranks": 2,
    "cells": [{"collective": name, "bytes": size, "library_seconds": 2e-6, "replaced_seconds": 1e-6, "speedup": 2.0, "lower": 1.5, "upper": 2.5}
              for name, size in (("barrier", 8), ("bcast", 8), ("bcast", 64), ("reduce", 8))],
}  # fmt: skip
PROFILE = {
    "format": "postage profile", "version": 1, "library": "openmpi", "ranks": 2, "nodes": 1, "seconds": 0.5, "communication_seconds": 0.2,
    "least_communication_seconds": 0.1, "most_communication_seconds": 0.3, "other_calls": [],
    "collectives": [{"name": "allreduce", "calls": 200, "replaced": 190, "bytes": 1600, "seconds": 1e-3, "sizes": [
        {"from": 8, "below": 16, "calls": 200, "replaced": 190, "own_seconds": 7e-5, "replaced_seconds": 2e-4, "own_call_seconds": 7e-6, "replaced_call_seconds": 1e-6,
         "gained_seconds": 1.2e-3, "gained_least_seconds": 1e-3, "gained_most_seconds": 1.4e-3, "probes_gained_seconds": 0, "algorithms": {"direct": 190}}]}],
    "messages": {"point_to_point": [], "collective": [{"from": 8, "below": 16, "messages": 200, "bytes": 1600}]},
}  # fmt: skip


def decisions(platform):
    """A cell with a rule, one of the default, one that is predicted; no cell of reduce at 1K."""
    none = {"algorithm": "", "library_name": "", "segment": 0, "parameters": {}}
    cell = {"nodes": 4, "ranks": 4, "choice": none, "tuned_seconds": 1e-4, "default_seconds": 1e-4, "measured": True}
    chain = {"choice": {**none, "algorithm": "chain", "library_name": "chain", "segment": 8192}, "tuned_seconds": 5e-5}
    places = [("bcast", 64, {}), ("bcast", 1024, chain), ("reduce", 64, {"measured": False})]
    return {"format": "postage-decisions", "version": 1, "target": "openmpi", "target_version": "4.1.4", "platform": platform, "created": "",
            "rules": [], "dropped": [], "cells": [{**cell, "collective": name, "bytes": size, **more} for name, size, more in places]}  # fmt: skip


class Report(runner.CliTest):
    def write(self, name, value):
        path = self.folder / name
        path.write_text(json.dumps(value))
        return path

    def setUp(self):
        super().setUp()
        platform, validation, report = (self.folder / name for name in ("p.json", "v.json", "r.html"))
        self.succeed("measure", "--virtual", "mixed16", "-n", 4, "--sizes", "1:64K:x4", "--train-sizes", "1", "-o", platform)
        self.succeed("validate", "--platform", platform, "--virtual", "mixed16", "-n", 4, "--sizes", "3:48K:x4",
                     "--collective", "bcast:pipeline:12", "--collective", "bcast:pipeline:3K", "-o", validation)
        result = self.succeed("report", "--platform", platform, "--validation", validation, "--gains", self.write("g.json", GAINS), "--profile",
                              self.write("a.json", PROFILE), "--decisions", self.write("d.json", decisions("mixed16")), "-o", report)  # fmt: skip
        self.assertLessEqual(result.out.count("\n"), 10)
        self.assertRegex(result.out, r"(?m)^Latency +\S+ us +between hosts$")
        self.assertRegex(result.out, r"(?m)^Trust +\S+ % ")
        self.assertRegex(result.out, r"(?m)^Preload +2.00x ")
        self.assertIn("beyond their intervals 4 are faster by more than 2 %, 0 slower", " ".join(result.out.split()))
        self.assertLessEqual(report.stat().st_size, 1_000_000)
        self.browser = Browser(self.folder)
        self.addCleanup(self.browser.close)
        self.browser.call("/url", {"url": f"file://{report}"})

    def cdp(self, command, **parameters):
        return self.browser.call("/goog/cdp/execute", {"cmd": command, "params": parameters})

    def media(self, scheme="light", media="screen"):
        self.cdp("Emulation.setEmulatedMedia", media=media, features=[{"name": "prefers-color-scheme", "value": scheme}])

    def check_is_drawn(self):
        is_drawn = lambda: len(colours := self.browser.run(DRAWN)) >= 3 and min(colours) > 3
        self.assertTrue(wait_for(is_drawn), f"an empty chart: {self.browser.run(DRAWN)}")

    def check_fits(self, width):
        """A window of another width is drawn with the browser's next frame, which a busy machine shows late."""
        self.cdp("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
        self.assertTrue(wait_for(lambda: self.browser.run("return document.documentElement.scrollWidth") <= width), f"{width} px")

    def test_in_chromium(self):
        run = self.browser.run
        self.assertEqual(run("return document.querySelector('section.platform h2').textContent"), "mixed16 (simulated)")
        self.check_is_drawn()
        self.check_models()
        self.check_tables()
        self.check_map()
        self.check_outline()
        self.check_looks()
        self.assertEqual(run("return performance.getEntriesByType('resource').filter((r) => !r.name.startsWith('data:')).length"), 0)
        self.assertEqual(self.browser.call("/se/log", {"type": "browser"}), [])

    def check_models(self):
        """One model is drawn; another can be switched on in all charts of the platform."""
        run = self.browser.run
        legend = "return [...document.querySelectorAll('.u-legend')].map((l) => l.textContent).filter((t) => t.includes('hockney')).length"
        self.assertEqual(run("return document.querySelectorAll('fieldset input:checked').length"), 1)
        self.assertEqual(run(legend), 0)
        run("document.querySelector('fieldset input[value=hockney]').click()")
        self.assertGreaterEqual(run(legend), 3)

    def check_tables(self):
        """A head sorts by its column, down when it is clicked again; what is copied has the same order."""
        run = self.browser.run
        run("""navigator.clipboard.writeText = async (text) => { window.copied = text; };
               window.errors = [...document.querySelectorAll('figure.table')].find((f) => f.textContent.startsWith('Accuracy'));
               window.head = [...errors.querySelectorAll('th')].find((t) => t.textContent === 'worst');""")
        for times, order in ((1, "ascending"), (2, "descending")):
            run("head.querySelector('button').click(); errors.querySelector('button.csv').click();")
            self.assertEqual(run("return head.getAttribute('aria-sort')"), order)
            lines = run("return copied").splitlines()
            self.assertEqual(lines[0], "model,errors,median,95 %,worst,bias")
            worst = [float(line.split(",")[4]) for line in lines[1:]]
            self.assertGreater(len(worst), 3)
            self.assertEqual(worst, sorted(worst, reverse=times == 2))
            shown = run("return [...errors.querySelectorAll('tbody th')].map((t) => t.textContent)")
            self.assertEqual(shown, [line.split(",")[0] for line in lines[1:]])
        run("document.querySelector('.chart').closest('figure').querySelector('button.csv').click()")
        self.assertRegex(run("return copied"), r"\A\"?message size, bytes")

    def check_map(self):
        """What the default loses; what is predicted, and what is not known, look otherwise than what was measured."""
        run = self.browser.run
        cells = run("""return [...document.querySelector('table.map tbody').rows].map((row) =>
                       [row.cells[0].textContent, ...[...row.cells].slice(1).map((c) => [c.className, c.textContent])])""")
        self.assertEqual([row[0] for row in cells], ["bcast", "reduce"])
        self.assertEqual(cells[0][1], ["quiet", "·"])
        self.assertIn("100", cells[0][2][1])
        self.assertTrue(cells[0][2][1].endswith("chain in 8K"))
        self.assertEqual([c[0] for c in cells[1][1:]], ["unmeasured", "unmeasured"])

    def check_outline(self):
        run = self.browser.run
        for landmark in ("header", "nav[aria-label]", "main", "footer"):
            self.assertEqual(run(f"return document.querySelectorAll('body > {landmark}').length"), 1, landmark)
        for selector, needed in (("section", "aria-labelledby"), ("[role=img]", "aria-label"), ("[role=region]", "aria-label")):
            self.assertEqual(run(f"return document.querySelectorAll('{selector}:not([{needed}])').length"), 0, selector)
        self.assertEqual(run("return [...document.querySelectorAll('table.data, table.map')].filter((t) => !t.caption || !t.querySelector('th')).length"), 0)
        self.assertEqual(run("return [...document.querySelectorAll('section')].filter((s) => !document.getElementById(s.getAttribute('aria-labelledby'))).length"), 0)
        self.assertEqual(run("return [...document.querySelectorAll('nav a')].filter((a) => !document.querySelector(a.getAttribute('href'))).length"), 0)
        self.assertIn("Program", run("return document.querySelector('nav').textContent"))

    def check_looks(self):
        run = self.browser.run
        paper = "return getComputedStyle(document.body).backgroundColor"
        self.media("light")
        light = run(paper)
        self.media("dark")
        self.assertTrue(wait_for(lambda: run(paper) != light))
        self.check_is_drawn()
        self.media("dark", "print")
        self.assertTrue(wait_for(lambda: run(paper) == light))
        self.assertEqual(run("return getComputedStyle(document.querySelector('nav')).display"), "none")
        self.check_fits(760)
        self.media("light")
        for width in (800, 400):
            self.check_fits(width)
            self.check_is_drawn()


if __name__ == "__main__":
    runner.main()
