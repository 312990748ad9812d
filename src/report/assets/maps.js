// Heat maps: a row for each collective, a column for each size.
const key = (...entries) => el("div", { class: "key" }, entries.map(([style, text]) => el("span", {}, el("i", typeof style === "string" ? { class: style } : { style: `--share:${style}` }), text)));

// cell(row, size): {text, small, share, said, unmeasured, values} or nothing, where nothing is known.
const heatMap = (caption, rows, sizes, cell, names) => {
  const one = (row, size, columns) => {
    const c = cell(row, size);
    if (!c) return el("td", { class: "unmeasured", style: "--share:0", title: `${row} of ${bytes(size)}: not measured` }, el("span", { class: "unseen" }, "not measured"));
    return el("td", { colspan: columns, class: c.unmeasured ? "unmeasured" : c.quiet ? "quiet" : null, style: c.tint ? `background:color-mix(in srgb, ${c.tint} 20%, var(--paper))` : `--share:${Math.min(1, Math.max(0, c.share || 0)).toFixed(3)}`, title: c.said }, c.small ? el("b", {}, c.small) : null, c.text);
  };
  // A barrier has no size.
  const body = rows.map((row) => el("tr", {}, el("th", { scope: "row" }, row),
    cell(row, 0) ? one(row, 0, sizes.length) : sizes.map((size) => one(row, size))));
  return el("figure", {}, el("figcaption", {}, el("span", {}, caption), copyButton(caption, () => csv(["collective", "bytes", ...names],
    rows.flatMap((row) => [0, ...sizes].map((size) => [row, size, cell(row, size)]).filter(([, size, c]) => c || size).map(([, size, c]) => [row, size, ...(c ? c.values : names.map(() => ""))]))))),
  el("div", { class: "scroll whole", tabindex: 0, role: "region", "aria-label": caption }, el("table", { class: "map" }, el("caption", { class: "unseen" }, caption),
    el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "bytes"), sizes.map((s) => el("th", { scope: "col" }, bytes(s))))), el("tbody", {}, body))));
};

// Soft hyphens let long names break where they have words.
const broken = (name) => name.replaceAll("-", "-\u200b");

const predictedMap = (platform) => {
  const { sizes, rows, ranks, model } = platform.best;
  const known = rows.filter((r) => r.cells.some(Boolean));
  // The same algorithm has the same tint.
  const names = [...new Set(known.flatMap((r) => r.cells.filter(Boolean).map((c) => c.algorithm)))];
  return heatMap(`Fastest algorithm by prediction, ${ranks} ranks, by ${model}`, known.map((r) => r.collective), sizes, (row, size) => {
    const cells = known.find((r) => r.collective === row).cells;
    const c = row === "barrier" ? (size === 0 ? cells[0] : null) : cells[sizes.indexOf(size)];
    const text = c && c.algorithm + (c.segment ? ` in ${bytes(c.segment)}` : "");
    return c && { text: broken(text), tint: inLight[names.indexOf(c.algorithm) % inLight.length], said: `${row} of ${bytes(size)} B: ${text}, ${seconds(c.time[0])} (${seconds(c.time[1])} to ${seconds(c.time[2])})`,
      values: [c.algorithm, c.segment, ...c.time] };
  }, ["algorithm", "segment", "seconds", "lower", "upper"]);
};

// What the default loses: its time over the best one's, less 1.
const decisionMap = (decisions) => {
  const kinds = [...groupBy(decisions.cells, (c) => `${c.ranks} on ${c.nodes}`)].map(([, cells]) => cells).sort((a, b) => b[0].ranks - a[0].ranks || b[0].nodes - a[0].nodes);
  const isAmbiguous = kinds.length > new Set(kinds.map((cells) => cells[0].ranks)).size;
  const nameOf = (cells) => countOf(cells[0].ranks, "rank") + (isAmbiguous ? ` on ${countOf(cells[0].nodes, "host")}` : "");
  const place = el("div");
  const draw = (cells) => {
    const rows = [...new Set(cells.map((c) => c.collective))];
    // Sizes at which only the end of some rule was looked for are left to the table of rules.
    const bySize = [...groupBy(cells.filter((c) => c.bytes > 0), (c) => c.bytes)].filter(([, own]) => own.length > rows.length / 3).sort((a, b) => a[0] - b[0]);
    const wanted = ([size, own]) => own.some((c) => c.choice) || Number.isInteger(Math.log2(size / bySize[0][0]) / 2);
    const sizes = bySize.filter((one) => bySize.length <= 10 || wanted(one)).map(([size]) => size);
    place.replaceChildren(heatMap(`What ${decisions.library} ${decisions.version} loses by its defaults, ${nameOf(cells)}`, rows, sizes, (row, size) => {
      const c = cells.find((one) => one.collective === row && one.bytes === size);
      if (!c) return null;
      const loss = c.choice ? c.default / c.tuned - 1 : 0;
      return { small: loss > 0 ? "+\u2060" + percent(loss).replace(" ", "\u202f") : null, quiet: !c.choice, text: c.choice ? broken(c.choice) : "·", share: Math.sqrt(Math.min(1, loss / 2)), unmeasured: !c.measured,
        said: `${row} of ${bytes(size)} B: ${c.choice || "the default"}, ${seconds(c.tuned)}; default ${seconds(c.default)}${c.measured ? "" : "; predicted, not measured"}`,
        values: [c.choice || "default", c.tuned, c.default, c.measured ? "measured" : "predicted"] };
    }, ["algorithm", "seconds", "default seconds", "source"]));
  };
  draw(kinds[0]);
  const choose = kinds.length < 2 ? null : el("label", { class: "choose" }, "Communicator: ", el("select", { change: (event) => draw(kinds[event.target.value]) },
    kinds.map((cells, i) => el("option", { value: i }, nameOf(cells)))));
  return [choose, place, key([0, "· the default is the fastest"], [0.35, "loses 25 %"], [0.7, "100 %"], [1, "200 % and more"], ["unmeasured", "not measured"])];
};

const ruleTable = (caption, rules, with_reason) => table(caption, [{ title: "collective", text: true }, { title: "ranks" }, { title: "hosts" }, { title: "bytes" },
  { title: "algorithm", text: true }, { title: "its name there", text: true }, { title: "default", show: seconds }, { title: "saves", show: percent },
  { title: "95 % from", show: percent }, { title: "to", show: percent }, ...(with_reason ? [{ title: "reason", text: true, wide: true }] : [])],
rules.map((r) => [r.collective, r.ranks, r.nodes, r.bytes, r.choice, r.library_name, r.default, ...r.saves, ...(with_reason ? [r.reason] : [])]));

const tuningSection = (decisions) => [
  el("p", {}, `Rules for ${decisions.library} ${decisions.version}. A rule is in force only where it was surely faster than the default when both were re-measured in turn.`),
  decisions.rules.length ? ruleTable("Rules in force", decisions.rules) : el("p", {}, "None: the defaults are as fast as anything else the library has."),
  decisions.dropped.length ? folded(`${countOf(decisions.dropped.length, "rule")} dropped`, ruleTable("Rules dropped", decisions.dropped, true)) : null,
];

const gainSection = (gains) => {
  const rows = [...new Set(gains.cells.map((c) => c.collective))];
  const isOnce = new Set(rows.filter((row) => gains.cells.filter((c) => c.collective === row).length === 1));
  const all = [...new Set(gains.cells.map((c) => c.bytes))].sort((a, b) => a - b);
  const sizes = all.length > 11 ? all.filter((_, i) => i % 2 === 0 || i === all.length - 1) : all;
  return [
    el("p", {}, `The library's own time over that with the preload library, each call timed in turn: ${gains.library} on ${gains.host}, ${gains.ranks} ranks. Below 1 the program gets slower.`),
    heatMap(`Speed-up by the preload library, ${gains.library}`, rows, sizes, (row, size) => {
      const c = gains.cells.find((one) => one.collective === row && (isOnce.has(row) ? size === 0 : one.bytes === size));
      return c && { text: times(c.speedup), share: Math.min(1, Math.max(0, Math.log2(c.speedup) / 4)), values: [c.speedup, c.lower, c.upper, c.library_seconds, c.replaced_seconds],
        said: `${row} of ${bytes(size)} B: ${times(c.speedup)} times as fast (${times(c.lower)} to ${times(c.upper)}), ${seconds(c.replaced_seconds)} instead of ${seconds(c.library_seconds)}` };
    }, ["speedup", "lower", "upper", "library seconds", "replaced seconds"]),
    key([0, "as fast or slower"], [0.25, "2 times"], [0.5, "4 times"], [1, "16 times and more"], ["unmeasured", "not measured"]),
  ];
};
