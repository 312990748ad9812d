"""Debian's Slurm on this machine: a controller, two nodes of names and shared memory of their own, and munge.

Needs root: each slurmd runs in a namespace of host names (UTS), so that MPI sees two hosts, and of mounts, in which
/dev/shm is its own, so that ranks of different nodes cannot meet there.
"""

import contextlib
import os
import pathlib
import shutil
import socket
import subprocess
import time

NODES = ("n1", "n2")
CORES = 2
PATIENCE = 120  # seconds, of a busy machine

# linuxproc and no task plugin: no control groups, which a container does not let anybody make. What each node calls
# temporary must differ: PMIx names its folders by job and step alone.
CONFIGURATION = """
ClusterName=postage-test
SlurmctldHost=localhost
SlurmctldPort={controller_port}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
MpiDefault=pmix
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/linear
SchedulerType=sched/builtin
SwitchType=switch/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
ReturnToService=2
MailProg=/bin/true
StateSaveLocation={folder}/state
SlurmctldPidFile={folder}/slurmctld.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdPidFile={folder}/slurmd-%n.pid
SlurmdSpoolDir={folder}/spool-%n
SlurmdLogFile={folder}/slurmd-%n.log
TmpFS={folder}/tmp-%n
{nodes}
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""

# Every node has this machine's addresses, of which only the loopback is sure to be there. Ranks share the cores.
ENVIRONMENT = {
    "OMPI_MCA_btl_tcp_if_include": "lo",
    "OMPI_MCA_oob_tcp_if_include": "lo",
    "OMPI_MCA_mpi_yield_when_idle": "1",
}


def missing():
    """Why there can be no cluster here; empty where there can."""
    if os.geteuid() != 0:
        return "two nodes on one machine need root, and this is not root"
    programs = ("slurmctld", "slurmd", "srun", "sbatch", "munged", "unshare", "setpriv")
    absent = [name for name in programs if shutil.which(name) is None]
    if absent:
        return "not installed: " + ", ".join(absent)
    if subprocess.run(["unshare", "--uts", "--mount", "true"], stderr=subprocess.DEVNULL).returncode != 0:
        return "no namespaces can be made here"
    return ""


def free_ports(count):
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]


class SlurmCluster:
    """Use as a context: it runs inside, and nothing of it after."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.daemons = []
        self.environment = os.environ | ENVIRONMENT | {"SLURM_CONF": str(self.folder / "slurm.conf")}

    def __enter__(self):
        try:
            self.configure()
            self.start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_):
        self.stop()

    def configure(self):
        controller_port, *ports = free_ports(1 + len(NODES))
        nodes = [
            f"NodeName={name} NodeHostname={name} NodeAddr=127.0.0.1 Port={port} CPUs={CORES} "
            f"SocketsPerBoard=1 CoresPerSocket={CORES} State=UNKNOWN"
            for name, port in zip(NODES, ports)
        ]
        for name in ("state", *(f"{kind}-{node}" for kind in ("spool", "tmp") for node in NODES)):
            (self.folder / name).mkdir()
        (self.folder / "munge").mkdir(mode=0o700)
        key = self.folder / "munge" / "key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o400)
        text = CONFIGURATION.format(folder=self.folder, controller_port=controller_port, nodes="\n".join(nodes))
        (self.folder / "slurm.conf").write_text(text)

    def daemon(self, *command):
        # All go with this process, also where it is killed.
        with open(self.folder / "daemons.log", "a") as log:
            self.daemons.append(
                subprocess.Popen(
                    ["setpriv", "--pdeathsig", "KILL", *map(str, command)],
                    env=self.environment,
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                )
            )

    def start(self):
        munge = {"key-file": "munge/key", "log-file": "munge/log", "pid-file": "munge/pid", "seed-file": "munge/seed"}
        paths = [f"--{option}={self.folder / path}" for option, path in munge.items()]
        # --force: a folder below /tmp, which all may write to, is good enough for a test.
        self.daemon("munged", "--foreground", "--force", f"--socket={self.folder}/munge.socket", *paths)
        self.wait("munge has no socket", (self.folder / "munge.socket").exists)
        self.daemon("slurmctld", "-D")
        for node in NODES:
            script = f"hostname {node} && mount -t tmpfs none /dev/shm && exec setpriv --pdeathsig KILL slurmd -D -N {node}"
            self.daemon("unshare", "--uts", "--mount", "sh", "-c", script)
        self.wait("the nodes do not come up", lambda: self.run("sinfo", "-h", "-t", "idle", "-o", "%D").out == "2")

    def wait(self, complaint, state):
        end = time.monotonic() + PATIENCE
        while not state():
            if time.monotonic() > end:
                logs = "\n".join(f"{log}:\n{log.read_text()[-2000:]}" for log in sorted(self.folder.glob("*.log")))
                raise TimeoutError(f"{complaint}\n{logs}")
            time.sleep(0.05)

    def run(self, *command, timeout=PATIENCE, **options):
        """Runs a command that knows this cluster; its status, and what it said, less the last newline."""
        done = subprocess.run(
            [str(word) for word in command],
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            timeout=timeout,
            **options,
        )
        done.out = done.stdout.strip()
        return done

    def stop(self):
        if (self.folder / "slurmctld.pid").exists():
            self.run("scancel", "--user=root")
            self.wait("jobs do not end", lambda: self.run("squeue", "-h").out == "")
            self.run("scontrol", "shutdown")
        for daemon in self.daemons[1:]:
            end(daemon, patience=5)
        for munge in self.daemons[:1]:
            end(munge, patience=0)
        self.daemons = []


def end(daemon, patience):
    try:
        daemon.wait(patience)
    except subprocess.TimeoutExpired:
        daemon.terminate()
        daemon.wait(PATIENCE)
