// Where the time of a collective goes: parts that fold, each with its share of the whole.
const treeItem = ([label, time, parts], whole, depth) => {
  const row = [el("span", { class: "what" }, label), el("span", { class: "share", "aria-hidden": "true" }, el("i", { style: `width:${((100 * time) / whole).toFixed(1)}%` })),
    el("span", { class: "part" }, percent(time / whole)), el("span", { class: "time" }, seconds(time))];
  const inner = parts.length === 1 && parts[0][0] === "one message alone" ? [] : parts;
  return el("li", {}, inner.length ? el("details", { open: depth < 1 }, el("summary", {}, ...row), el("ul", {}, inner.map((p) => treeItem(p, whole, depth + 1)))) : el("div", { class: "leaf" }, ...row));
};
const flatTree = ([label, time, parts], depth = 0) => [[depth, label, time], ...parts.flatMap((p) => flatTree(p, depth + 1))];

const explanationSection = (platform) => {
  const list = platform.explanations;
  const place = el("div");
  const draw = (e) => {
    const name = `${e.collective} ${e.algorithm} of ${bytes(e.bytes)} B`;
    place.replaceChildren(el("figure", {}, el("figcaption", {}, el("span", {}, `${name}: ${seconds(e.time[0])}${e.time[2] < 100 * e.time[0] ? ` (95 %: ${seconds(e.time[1])} to ${seconds(e.time[2])})` : ""}, by ${e.model}`),
      copyButton(`Parts of ${name}`, () => csv(["depth", "part", "seconds"], flatTree(e.tree)))), el("ul", { class: "tree" }, treeItem(e.tree, e.tree[1] || 1, 0))),
    ["flows", "portions"].includes(e.evaluator) ? el("p", {}, "The time above follows messages that share links; the tree adds up rounds, in which messages share bandwidth evenly, so the two may differ.") : "",
    e.advice.length ? el("p", {}, "Predicted to be faster: " + e.advice.map((a) => `${a.change} (${seconds(a.seconds)}, ${times(e.time[0] / a.seconds)} times)`).join("; ") + ".") : "");
  };
  const first = Math.max(0, list.findIndex((e) => e.collective === "allreduce" && e.bytes > 1024));
  draw(list[first]);
  return [el("label", { class: "choose" }, "Collective: ", el("select", { change: (event) => draw(list[event.target.value]) },
    list.map((e, i) => el("option", { value: i, selected: i === first }, `${e.collective} ${e.algorithm} of ${bytes(e.bytes)} B`)))), place];
};

// What a program did with MPI: what `postage run --json` wrote.
const profileSection = (profile) => {
  const sizes = profile.collectives.flatMap((c) => c.sizes.map((s) => ({ name: c.name, ...s })));
  const messages = ["point_to_point", "collective"].flatMap((kind) => profile.messages[kind].map((m) => [kind.replaceAll("_", " "), m.from, m.below, m.messages, m.bytes]));
  return [
    el("p", {}, `${profile.ranks} ranks on ${countOf(profile.nodes, "host")}, ${profile.library}: ${seconds(profile.seconds)} from MPI_Init to MPI_Finalize, ${seconds(profile.communication_seconds)} ` +
      `(${percent(profile.communication_seconds / profile.seconds)}) of it in MPI, from ${seconds(profile.least_communication_seconds)} to ${seconds(profile.most_communication_seconds)} by rank.`),
    table("Blocking collectives by size", [{ title: "call", text: true }, { title: "from bytes", show: bytes }, { title: "below", show: bytes }, { title: "calls" }, { title: "replaced", show: percent },
      { title: "time a call, replaced", show: seconds }, { title: "library's own", show: seconds }, { title: "gained a rank", show: seconds }, { title: "at least (95 %)", show: seconds }, { title: "at most", show: seconds }],
    sizes.map((s) => [s.name, s.from, s.below, s.calls, s.replaced / s.calls, s.replaced_call_seconds, s.own_call_seconds,
      ...[s.gained_seconds, s.gained_least_seconds, s.gained_most_seconds].map((gained) => (gained == null ? null : gained / profile.ranks))])),
    folded("Other calls, and messages by size",
      table("Other calls", [{ title: "call", text: true }, { title: "calls" }, { title: "bytes", show: bytes }, { title: "time of all ranks", show: seconds }], profile.other_calls.map((c) => [c.name, c.calls, c.bytes, c.seconds])),
      table("Messages by size", [{ title: "kind", text: true }, { title: "from bytes", show: bytes }, { title: "below", show: bytes }, { title: "messages" }, { title: "bytes", show: bytes }], messages)),
  ];
};
