"""Debian packages: what cpack makes is clean by lintian's rules, and works in a root that holds its dependencies alone."""

import os
import pathlib
import re
import shutil
import subprocess
import unittest

import runner

COMPONENTS = ("command", "python")


def run(*words, **options):
    done = subprocess.run([str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if done.returncode != 0:
        raise AssertionError(f"{words}: {done.stdout}")
    return done.stdout


def field(package, name):
    return run("dpkg-deb", "--field", package, name).strip()


def dependencies(names):
    """The installed packages that these need, and so on."""
    found, waiting = set(), list(names)
    while waiting:
        name = waiting.pop()
        if name in found or subprocess.run(["dpkg-query", "-W", name], capture_output=True).returncode != 0:
            continue
        found.add(name)
        depends = run("dpkg-query", "-W", "-f", "${Pre-Depends}, ${Depends}", name)
        waiting += [re.split(r"[ :(|]", one.strip())[0] for one in depends.split(",") if one.strip()]
    return found


def copy_files(package, root):
    """Files of an installed package that programs need to run; links as links."""
    for line in run("dpkg-query", "-L", package).splitlines():
        path = pathlib.Path(line)
        if re.match(r"/usr/share/(doc|man|locale|info|lintian|bash-completion)/|/var/", line) or not (path.is_symlink() or path.is_file()):
            continue
        target = root / line.lstrip("/")
        if target.is_symlink() or target.exists():
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, target, follow_symlinks=False)


def bare_root(root, packages):
    """Unpacks the packages into a root, with what their Depends name and nothing else."""
    for folder in ("bin", "sbin", "lib", "lib64"):
        (root / "usr" / folder).mkdir(parents=True)
        (root / folder).symlink_to(f"usr/{folder}")
    named = set()
    for package in packages:
        run("dpkg-deb", "-x", package, root)
        named |= {re.split(r"[ :(|]", one.strip())[0] for one in field(package, "Depends").split(",")}
    for name in dependencies(named):
        copy_files(name, root)


class Packages(runner.CliTest):
    def packed(self):
        run("cpack", "-G", "DEB", "-B", self.folder / "packed", "-D", f"CPACK_COMPONENTS_ALL={';'.join(COMPONENTS)}",
            "-D", "CPACK_DEBIAN_COMPRESSION_TYPE=none", cwd=runner.BUILD)  # fmt: skip
        return {field(package, "Package"): package for package in (self.folder / "packed").glob("*.deb")}

    def test_packages(self):
        packages = self.packed()
        self.assertEqual(set(packages), {"postage", "python3-postage"})
        version = self.succeed("--version").out.split()[1]
        for name, package in packages.items():
            self.assertEqual(field(package, "Version"), f"{version}-1")
            self.assertRegex(package.name, rf"^{name}_{re.escape(version)}-1_\w+\.deb$")
        listing = run("dpkg-deb", "--contents", packages["postage"])
        for path in ("usr/bin/postage", "usr/share/man/man1/postage-predict.1.gz", "usr/share/bash-completion/completions/postage",
                     "usr/share/postage/platform.schema.json", "usr/share/doc/postage/changelog.Debian.gz"):  # fmt: skip
            self.assertIn(f"./{path}\n", listing)
        self.assertIn("libfmt", field(packages["postage"], "Depends"))
        self.lint(packages)
        self.smoke(packages)

    def lint(self, packages):
        if shutil.which("lintian"):
            done = subprocess.run(["lintian", "--allow-root", "--suppress-tags", "uses-no-compression-for-data-tarball", "--fail-on", "error,warning", *map(str, packages.values())],
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)  # fmt: skip
            self.assertEqual(done.returncode, 0, done.stdout)

    def smoke(self, packages):
        if os.geteuid() != 0:
            raise unittest.SkipTest("only root may change the root")
        root = self.folder / "root"
        bare_root(root, packages.values())
        job = ["-P", "8", "-m", "64K", "--model", "loggp", "--params", "L=5us,o=1us,g=2us,G=1ns"]
        inside = run("chroot", root, "/usr/bin/postage", "predict", "bcast", *job, "--json")
        self.assertEqual(inside, self.succeed("predict", "bcast", *job, "--json").out)
        code = "import postage; print(len(postage.predict('bcast', 1024, ranks=4, model='hockney', params='alpha=1us,beta=1ns')))"
        # What their maintainers' scripts would choose among alternatives.
        paths = {"LD_LIBRARY_PATH": ":".join(f"/{path.relative_to(root)}" for path in root.glob("usr/lib/*/*a*") if path.name in ("blas", "lapack"))}
        self.assertGreater(int(run("chroot", root, "/usr/bin/python3", "-c", code, env={**os.environ, **paths, "PYTHONPATH": ""})), 5)


class Recipe(unittest.TestCase):
    def test_spack_recipe_is_python_of_this_version(self):
        text = (runner.SOURCE / "packaging" / "spack" / "package.py").read_text()
        compile(text, "package.py", "exec")
        version = re.search(r"project\(postage VERSION (\S+)", (runner.SOURCE / "CMakeLists.txt").read_text())[1]
        self.assertIn(f'version("{version}"', text)
        # Every option that it sets is one of the build's.
        options = set(re.findall(r'self\.define\("(\w+)"', text))
        build = "".join(path.read_text() for path in (runner.SOURCE / "cmake").glob("*.cmake"))
        for option in options - {"BUILD_TESTING"}:
            self.assertIn(f"({option} ", build)


if __name__ == "__main__":
    runner.main()
