#include "report/accuracy_text.hpp"

namespace postage {

const char* const AccuracyText::kIntroduction =
    R"(Parameters come from messages between two ranks and from groups of them that share a link, measured on each platform
(`postage measure`); every point below is a collective, and no parameter was fitted to any. Errors are relative to the
measured time. *Regret* is the cost of running the algorithm that a model predicts to be the fastest: its time over that
of the fastest, minus 1, wherever several algorithms or segment sizes were run for the same collective, P and size.

Simulated figures flatter `flow`: SimGrid shares links by max-min fairness, and so does `flow`. What a simulation tests is
whether the structure and the parameters of a network are found; whether real networks share so, only real ones tell.
)";

const char* const AccuracyText::kKnownPlatforms =
    R"(; do not edit. Eight simulated platforms and the machine at hand, which the models were developed on.
)";

const char* const AccuracyText::kExplanation =
    R"(## What decides the errors

- *Fluid sharing.* Messages that share a network interface or a node's memory do not wait for each other, nor does each
  cost tau times as much: each gets a share that changes whenever another starts or ends. Models that charge a
  message as if it were alone (Hockney, LogGP) err by the number of ranks on a node.
- *Eager and rendezvous.* Where a message starts only when its receive is posted, a late receiver delays the
  sender's link, and the sender. `flow` measures the sizes at which the protocol changes (S, E).
- *Jumps by size.* SMPI's own model changes latency and bandwidth at eight sizes. A jump is searched for by
  bisection where two neighbours of the measured curve lie on different lines.
- *Unsynchronised starts.* A nanosecond between two ranks grows from round to round where their messages share a
  link: pairwise exchanges leave lockstep, rounds overlap, and the time differs by up to a factor of two from that of
  ranks in step. It then depends on chance: such points are run many times with ranks that start within 100 ns, the
  prediction likewise, and medians are compared. Their own scatter, below, is a lower bound for every model.
- *Limits by size.* SMPI's own model takes up to three times as long for a middle size's byte as for a large one's,
  whether one message uses a link or many share it. `flow` has groups measured along every line of the curve of
  single messages, so that it knows what they share at each size.
- *Noise.* On `noisy16` every message takes its own time. `flow` measures how much repeated messages differ (v) and
  simulates collectives with messages that differ as much: a rank that waits for several waits for the slowest, and
  exchanges that leave lockstep take up to twice as long. Medians of many runs still differ by chance.
- *Processors that copy.* Inside a node of a real machine, a large message is copied by its receiver's processor, one
  after the other, and takes up to five times as long if its sender wrote it since it was last sent (R and w of
  `flow`), also where the sender wrote it by copying its own block or by receiving when the collective ran before.
  What ranks copy and combine in their own memory takes time (c, gamma), and larger messages wait for a rank's own
  copies. Writing over what another rank has fetched takes longer (u, the most of w), and so do two ranks that fetch
  from one another (y). Open MPI takes in all that arrived before it goes on (D): five exchanges of 10 kB, one after the
  other, take 23 us if their sends are waited for at the end, as schedules do it, and 16 us if each is waited for at
  once. Not modelled: how long ago memory was last used, which on a busy host changes the time of a message of some KiB
  through shared memory by up to a factor of three, and memory that does not lie in its page as the target does.
- *Start-up.* A collective of small messages starts on processors that waited, and its executor takes time of its own.
  `flow` measures the per-collective start-up overhead (t_0), the first-response delay (t_a), the simultaneous-start
  delay (t_b) and the executor overhead, with a transport that passes nothing (t_p). Not modelled: that the first
  response by a large message takes some microseconds longer still, and ranks that share cores, as in the lab.
- *Prefixes.* An exclusive scan's first value is stored, not added; a scan's carry is kept only where it will be sent.
)";

const char* const AccuracyText::kRealNoise =
    R"(Real platforms are measured in passes, each of which has a sampling slot for every message and every collective.
After each batch of an experiment the two ranks also exchange small messages. Sampling slots in which these took more
than sqrt(2) times more or less than in most are left out for both sides, as long as three are left: the host had moved
this machine's processors. What the exchange's time explains of the others is taken out (docs/measuring.md). So are
slots of one rank's experiments after which its processor took more than a tenth longer, or less long, for some fixed
work than after most, as long as a quarter of an experiment's slots is left: another guest used the other thread
of a core. *Re-measurement*: the relative difference between the median of every other pass and that of the passes
between. A prediction that knew the collective's own time would miss by as much; no model can be expected to do better.

)";

const char* const AccuracyText::kPublished =
    R"(## Published figures

| source | what | printed |
|---|---|---|
| Tu et al. 2009, 2log_{2,3}P | linear broadcast, 64 ranks, 3 sizes x 3 strides | mean 1.59 %, worst 3.61 % |
| Tu et al. 2009 | binomial broadcast | mean 2.03 %, worst 4.36 % |
| Ali et al. 2010, extended PLogP | 425 collectives on Cell blades | 94 % within 10 %, all within 15 % |
| J. Pjesivac-Grbovic et al. 2007, decision trees | picking an algorithm | mean penalty 2 % |

Each of these is of one machine, fitted and tested on it; the figures of postage are of the platforms below.
)";

const char* const AccuracyText::kLibrary =
    R"(The same algorithms as SimGrid's authors implemented them, on the same platform: an independent check of the schedules and of the predictions. Algorithms of one name can differ: SMPI cuts some into segments of its own, or sends in another order.)";

}  // namespace postage
