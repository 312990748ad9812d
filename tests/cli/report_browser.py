"""The report in a real browser, offline: it loads, logs nothing, fetches nothing, and its charts are drawn."""

import json
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request

import runner

FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync", "--window-size=1280,1600"]

DRAWN = """
return [...document.querySelectorAll('canvas')].map((canvas) => {
  const pixels = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
  const seen = new Set();
  for (let i = 0; i < pixels.length; i += 4) if (pixels[i + 3] > 0) seen.add(pixels[i] >> 4 << 8 | pixels[i + 1] >> 4 << 4 | pixels[i + 2] >> 4);
  return seen.size;
});
"""


class Browser:
    """Chromium behind chromedriver's plain HTTP."""

    def __init__(self, folder):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self.base = f"http://127.0.0.1:{port}"
        self.driver = subprocess.Popen([shutil.which("chromedriver"), f"--port={port}"], stdout=subprocess.DEVNULL)
        options = {"args": [*FLAGS, f"--user-data-dir={folder}/profile"]}
        capabilities = {"alwaysMatch": {"browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}}
        for attempt in range(300):
            try:
                session = self.call("/session", {"capabilities": capabilities})
                break
            except urllib.error.URLError:
                if attempt == 299:
                    raise
                time.sleep(0.1)
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


class Report(runner.CliTest):
    def test_in_chromium(self):
        platform, validation, report = (self.folder / name for name in ("p.json", "v.json", "r.html"))
        self.succeed("measure", "--virtual", "mixed16", "-n", 4, "--sizes", "1:64K:x4", "--train-sizes", "1", "-o", platform)
        self.succeed("validate", "--platform", platform, "--virtual", "mixed16", "-n", 4, "--sizes", "3:48K:x4",
                     "--collective", "bcast:pipeline:12", "--collective", "bcast:pipeline:3K", "-o", validation)
        self.succeed("report", "--platform", platform, "--validation", validation, "-o", report)
        browser = Browser(self.folder)
        self.addCleanup(browser.close)
        browser.call("/url", {"url": f"file://{report}"})
        self.assertEqual(browser.run("return document.querySelector('section.platform h2').textContent"), "mixed16 (simulated)")
        colours = browser.run(DRAWN)
        self.assertGreaterEqual(len(colours), 5)
        for count in colours:
            self.assertGreater(count, 3, "an empty chart")
        self.assertEqual(browser.run("return performance.getEntriesByType('resource').filter((r) => !r.name.startsWith('data:')).length"), 0)
        self.assertEqual(browser.call("/se/log", {"type": "browser"}), [])


if __name__ == "__main__":
    runner.main()
