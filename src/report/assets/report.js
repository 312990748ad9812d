// Puts the page together from the JSON in #data.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const main = document.getElementById("main");
  const contents = document.getElementById("contents");
  let made = 0;
  const identify = (text) => `${text.toLowerCase().replace(/[^a-z0-9]+/g, "-")}-${(made += 1)}`;

  const part = (title, children) => {
    const shown = children.filter(Boolean);
    if (!shown.length) return null;
    const id = identify(title);
    return el("section", { "aria-labelledby": id }, el("h3", { id }, title), ...shown);
  };
  const chapter = (title, intro, parts, kind) => {
    const id = identify(title);
    contents.append(el("a", { href: "#" + id }, title));
    main.append(el("section", { "aria-labelledby": id, class: kind }, el("h2", { id }, title), intro ? el("p", {}, intro) : null, ...parts.filter(Boolean)));
  };

  const parameterPart = (platform) => !platform.parameters.length ? null : folded("Parameters of all models",
    table("Parameters", ["model", "channel", "from size", "parameter", "value", "95 % from", "to"].map((title) => ({ title, text: true })), platform.parameters),
    platform.parameters_of_singles ? el("p", {}, `${platform.parameters_of_singles} further sets belong to single pairs or ranks, since they differ; the platform file holds them.`) : null);

  const algorithmPart = (platform, decisions) => [
    ...decisions.filter((d) => d.cells.length).flatMap(decisionMap),
    ...(platform.best ? (decisions.some((d) => d.cells.length) ? [folded("Fastest algorithm of all, by prediction", predictedMap(platform))] : [predictedMap(platform), el("p", {}, "What the library loses by its own choices is known once they were timed: postage tune, and its decisions given to postage report.")]) : []),
  ];

  const platformChapter = (platform) => {
    const validation = data.validations.find((v) => v.platform === platform.name);
    const decisions = data.decisions.filter((d) => d.platform === platform.name);
    const switches = modelSwitch(platform);
    chapter(platform.name + (platform.is_virtual ? " (simulated)" : ""), `${platform.implementation}; ${countOf(platform.ranks, "rank")} on ${countOf(platform.hosts, "host")}` +
      (platform.created ? `; measured ${platform.created.replace("T", " ").replace("Z", " UTC")}` : "") + ".", [
      part(platform.hosts > 1 ? "The network" : "The machine", machineSection(platform)),
      part("Messages", platform.messages.length ? [switches, ...messageSection(platform)] : []),
      part("How far to trust predictions", platform.curves.length || validation ? trustSection(platform, validation) : []),
      part("Which algorithm to use", algorithmPart(platform, decisions)),
      part("Where the time of a collective goes", platform.explanations.length ? explanationSection(platform) : []),
      ...decisions.map((d) => part(`Tuning ${d.library}`, tuningSection(d))),
      parameterPart(platform),
    ], "platform");
  };

  // The five algorithms that are the closest to the best over all sizes; the table has all.
  const comparisonPart = ([name, rows]) => {
    const sizes = [...new Set(rows.map((r) => r.bytes))].filter((m) => m > 0).sort((a, b) => a - b);
    const best = new Map([...groupBy(rows, (r) => r.bytes)].map(([size, own]) => [size, Math.min(...own.map((r) => r.seconds))]));
    const curves = [...groupBy(rows, (r) => r.algorithm)].map(([algorithm, own]) => ({ algorithm,
      values: sizes.map((m) => { const at = own.filter((r) => r.bytes === m).map((r) => r.seconds); return at.length ? Math.min(...at) : null; }) }));
    const behind = (c) => middle(c.values.map((v, i) => (v === null ? Infinity : v / best.get(sizes[i]))));
    const first = curves.sort((a, b) => behind(a) - behind(b)).slice(0, 5);
    return part(name, [sizes.length > 1 ? chart(`${name}: the five algorithms closest to the best`, "Predicted time by size, each with its best segment.", () => ({ xs: sizes, xLabel: "message size, bytes",
      yLabel: "predicted time", showX: bytes, showY: seconds, series: first.map((c, i) => ({ label: c.algorithm, look: lookOf(i), values: c.values })) })) : null,
    folded("All algorithms", table(name, [{ title: "algorithm", text: true }, { title: "bytes", show: bytes }, { title: "predicted", show: seconds }, { title: "times the best", show: times }],
      curves.flatMap((c) => sizes.map((m, i) => [c.algorithm, m, c.values[i], c.values[i] === null ? null : c.values[i] / best.get(m)]).filter((row) => row[2] !== null))))]);
  };

  document.getElementById("summary").append(...data.summary.map(([label, value, text]) => el("div", {}, el("dt", {}, label), el("dd", {}, el("b", {}, value), text))));
  if (data.platforms.length) document.getElementById("title").textContent = data.platforms[0].title;
  data.platforms.forEach(platformChapter);
  if (data.gains.length) chapter("Preload library", null, data.gains.map((g) => part(`With ${g.library}`, gainSection(g))));
  data.profiles.forEach((p, i) => chapter(data.profiles.length > 1 ? `Program ${i + 1}` : "Program", null, profileSection(p)));
  const decided = data.decisions.filter((d) => !data.platforms.some((p) => p.name === d.platform));
  decided.forEach((d) => chapter(`Tuning ${d.library} on ${d.platform}`, null, [...(d.cells.length ? decisionMap(d) : []), ...tuningSection(d)]));
  if (data.comparisons.length) {
    chapter("Algorithms compared", "By prediction; postage compare ranks them at any size.", [...groupBy(data.comparisons, (r) => `${r.collective} among ${r.ranks} ranks, by ${r.model}`)].map(comparisonPart));
  }
  if (data.doctor && Array.isArray(data.doctor.findings)) {
    chapter("This machine", "What disturbs measurements, by postage doctor.", [table("Findings", [{ title: "topic", text: true },
      { title: "status", text: true, show: (status) => el("span", { class: status }, status) }, { title: "seen", text: true, wide: true }, { title: "what to do", text: true, wide: true }],
    data.doctor.findings.map((f) => [f.topic, f.status, f.seen || "", f.advice || f.fix || ""]))]);
  }
  if (contents.children.length < 2) contents.hidden = true;
  watchCharts();
})();
