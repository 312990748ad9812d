"""The site of docs/: built by MkDocs, every link in it leads somewhere."""

import html.parser
import pathlib
import subprocess
import sys
import urllib.parse

import runner


class Page(html.parser.HTMLParser):
    """Its anchors, and what it links to or shows."""

    def __init__(self, path):
        super().__init__()
        self.anchors, self.links = set(), []
        self.feed(path.read_text())

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.anchors.update(values[name] for name in ("id", "name") if values.get(name))
        self.links += [values[name] for name in ("href", "src") if values.get(name)]


class Site(runner.CliTest):
    def test_links_lead_somewhere(self):
        script = runner.SOURCE / "scripts" / "docs_site"
        done = subprocess.run([sys.executable, script, runner.POSTAGE, self.folder / "docs"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        site = self.folder / "docs" / "site"
        pages = {path.resolve(): Page(path) for path in site.rglob("*.html")}
        self.assertGreater(len(pages), 45)
        broken, followed = [], 0
        for path, page in pages.items():
            for link in page.links:
                parts = urllib.parse.urlsplit(link)
                if parts.scheme or parts.netloc or path.name == "404.html":
                    continue
                target = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
                target = target / "index.html" if target.is_dir() else target
                followed += 1
                anchor = urllib.parse.unquote(parts.fragment)
                if not target.exists() or (anchor and target in pages and anchor not in pages[target].anchors):
                    broken.append(f"{path.relative_to(site.resolve())}: {link}")
        self.assertEqual(broken, [])
        self.assertGreater(followed, 1000)
        self.assertIn("--max-extrapolation", (site / "reference" / "commands.html").read_text())
        self.assertIn("class LinkTable", (site / "reference" / "headers.html").read_text())


if __name__ == "__main__":
    runner.main()
