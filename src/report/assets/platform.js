// What one platform is, its messages, and how far predictions are from what was measured.
const countOf = (n, what) => `${n} ${what}${n === 1 ? "" : "s"}`;

const levelTable = (platform) => table("Latency and bandwidth by locality level", [{ title: "between", text: true }, { title: "pairs measured" },
  { title: "latency, one way", show: seconds }, { title: "95 % from", show: seconds }, { title: "to", show: seconds }, { title: "bandwidth", show: rate },
  { title: "up to bytes", show: bytes }],
platform.levels.map((l) => [l.between, l.pairs, l.latency[0], l.latency[1], l.latency[2], l.rate ? l.rate[0] : null, l.rate ? l.largest : null]));

const machineSection = (platform) => [
  el("figure", { class: "drawing" }, el("figcaption", {}, el("span", {}, "Hosts, cores and links")),
    el("div", { role: "img", "aria-label": `${platform.title}. The table below says the rates.` }, drawing(platform.drawing))),
  platform.levels.length ? levelTable(platform) : null,
];

// Each platform's models, the most accurate first, and which of them are drawn.
const modelsOf = (platform) => {
  const known = [...new Set(platform.curves.map((c) => c.model))];
  const accurate = (platform.held_out ? platform.held_out.models : []).map((m) => m.model);
  return [...new Set([platform.model, ...accurate, ...known])].filter((m) => m && (known.includes(m) || accurate.includes(m)));
};
const modelSwitch = (platform) => {
  platform.shown = new Set([platform.model]);
  // Each model that is drawn has a look of its own for as long as it is.
  platform.looks = new Map([[platform.model, 1]]);
  platform.allModels = modelsOf(platform);
  if (platform.allModels.length < 2) return null;
  return el("fieldset", {}, el("legend", {}, "Models drawn"), platform.allModels.map((model) => el("label", {},
    el("input", { type: "checkbox", checked: platform.shown.has(model), value: model, change: (event) => {
      if (event.target.checked) {
        platform.shown.add(model);
        platform.looks.set(model, [...platform.allModels.keys()].find((i) => ![...platform.looks.values()].includes(i)));
      } else {
        platform.shown.delete(model);
        platform.looks.delete(model);
      }
      redrawAll();
    } }), model)));
};
const lookOfModel = (platform, model) => lookOf(platform.looks.get(model) ?? 0);

const atSizes = (curve, key, sizes) => { const at = new Map(curve.bytes.map((m, i) => [m, curve[key][i]])); return sizes.map((m) => at.get(m) ?? null); };
const curveOf = (platform, model, channel) => platform.curves.find((c) => c.model === model && c.channel === channel && c.sharing === 1 && c.bytes);
const endsOf = (m, show, pick) => `measured ${show(pick(0))} for ${bytes(m.bytes[0])} B to ${show(pick(m.bytes.length - 1))} for ${bytes(m.bytes[m.bytes.length - 1])} B`;

const timeChart = (platform, m) => chart(`${m.channel}: time of one message`,
  `One way; ${endsOf(m, seconds, (i) => m.measured[i])}.`, () => ({
    xs: m.bytes, xLabel: "message size, bytes", yLabel: "one-way time", showX: bytes, showY: seconds,
    series: [...platform.allModels.filter((model) => platform.shown.has(model) && curveOf(platform, model, m.channel)).map((model) => {
      const curve = curveOf(platform, model, m.channel);
      return { label: model, look: lookOfModel(platform, model), values: atSizes(curve, "seconds", m.bytes),
        band: model === platform.model ? [atSizes(curve, "lower", m.bytes), atSizes(curve, "upper", m.bytes)] : undefined };
    }), { label: m.pairs > 1 ? `measured, median of ${m.pairs} pairs` : "measured", dots: true, look: { ink: true }, values: m.measured, band: [m.lower, m.upper] }],
  }));

const bandwidthChart = (platform, m) => chart(`${m.channel}: bandwidth`,
  `Size over one-way time; ${endsOf(m, rate, (i) => m.bytes[i] / m.measured[i])}.`, () => ({
    xs: m.bytes, xLabel: "message size, bytes", yLabel: "bandwidth", showX: bytes, showY: rate,
    series: [...platform.allModels.filter((model) => platform.shown.has(model) && curveOf(platform, model, m.channel)).map((model) => ({
      label: model, look: lookOfModel(platform, model), values: atSizes(curveOf(platform, model, m.channel), "seconds", m.bytes).map((s, i) => (s ? m.bytes[i] / s : null)) })),
    { label: "measured", dots: true, look: { ink: true }, values: m.bytes.map((size, i) => size / m.measured[i]) }],
  }));

const sharingChart = (platform, m) => {
  const curves = platform.curves.filter((c) => c.channel === m.channel && c.model === platform.model && c.bytes);
  const differ = curves.length > 1 && curves[0].seconds.some((s, i) => curves[curves.length - 1].seconds[i] > 1.02 * s);
  return !differ || platform.ranks < 3 ? null : chart(`${m.channel}: several messages at once`,
    `Predicted by ${platform.model}: alone, and ${curves.slice(1).map((c) => c.sharing).join(", ")} at once.`, () => ({
      xs: m.bytes, xLabel: "message size, bytes", yLabel: "predicted time", showX: bytes, showY: seconds,
      series: curves.map((c, i) => ({ label: c.sharing === 1 ? "alone" : `${c.sharing} at once`, look: lookOf(i + 1), values: atSizes(c, "seconds", m.bytes) })) }));
};

const messageSection = (platform) => [
  el("p", {}, `Dots are measured${platform.is_virtual ? "" : ", with their 95 % interval"}; the line is what ${platform.model} says, with the interval of its parameters.`),
  ...platform.messages.map((m) => el("div", { class: "pair narrow" }, timeChart(platform, m), bandwidthChart(platform, m), sharingChart(platform, m))),
  ...platform.curves.filter((c) => c.missing && c.model === platform.model).map((c) => el("p", {}, `${c.model} over ${c.channel}: ${c.missing}.`)),
];

// Predicted against measured: collectives that the campaign visited, and those of a validation, if there is one.
const noiseOf = (platform) => middle(platform.held_out.collectives.filter((c) => c.measured[1] !== null && c.measured[2] !== null)
  .map((c) => (c.measured[2] - c.measured[1]) / 2 / c.measured[0])) ?? 0;
const hasNoise = (platform) => platform.held_out.collectives.some((c) => c.measured[1] !== null && c.measured[2] !== null);
const pointsOf = (platform, validation, model) => [
  ...(platform.held_out?.predicted[model] || []).map((predicted, i) => ({ x: platform.held_out.collectives[i].measured[0], y: predicted, later: false })),
  ...(validation ? validation.rows.filter((r) => r.model === model) : []).map((r) => ({ x: r.measured[0], y: r.predicted, later: true })),
].filter((p) => p.x > 0 && p.y > 0).sort((a, b) => a.x - b.x);

const scatterChart = (platform, validation) => {
  const noise = platform.held_out ? noiseOf(platform) : 0;
  return chart("Predicted against measured time", `${countOf(platform.held_out ? platform.held_out.collectives.length : 0, "collective")} that no model is fitted to; ` +
    `on the diagonal a prediction is exact; the noise floor of ±${percent(noise)} is drawn around it.`, () => {
    const sets = platform.allModels.filter((m) => platform.shown.has(m)).flatMap((model) => [false, true].map((later) =>
      ({ model, later, points: pointsOf(platform, validation, model).filter((p) => p.later === later) }))).filter((s) => s.points.length);
    const all = sets.flatMap((s) => s.points.flatMap((p) => [p.x, p.y]));
    const range = [rounded(Math.min(...all) / 1.2, false), rounded(Math.max(...all) * 1.2, true)];
    const xs = [range[0], ...sets.flatMap((s) => s.points.map((p) => p.x)), range[1]].sort((a, b) => a - b);
    const place = (set) => { const values = xs.map(() => null); const used = new Set(); for (const p of set.points) { let i = xs.indexOf(p.x); while (used.has(i)) i += 1; used.add(i); values[i] = p.y; } return values; };
    return { xs, xLabel: "measured", yLabel: "predicted", showX: seconds, showY: seconds, xLog: 10, height: 420, dotSize: 6, range,
      series: [{ label: "exact, with the noise floor", look: { ink: true, dash: [2, 3] }, values: xs, band: [xs.map((x) => x * (1 - noise)), xs.map((x) => x * (1 + noise))] },
        ...sets.map((s) => ({ label: s.later ? `${s.model}, measured later` : s.model, dots: true, look: s.later ? { grey: true } : lookOfModel(platform, s.model), values: place(s) }))] };
  });
};

const accuracyTable = (platform) => {
  const models = platform.held_out.models;
  const noise = noiseOf(platform);
  const end = Math.min(1, Math.max(...models.map((m) => m.p95), noise, 1e-9));
  const width = (x) => `width:${Math.min(100, (100 * x) / end).toFixed(1)}%`;
  const bars = new Map(models.map((m) => [m.model, m]));
  const bar = (model) => { const m = bars.get(model); return el("span", { class: "bar", "aria-hidden": "true" }, el("i", { class: "long", style: width(m.p95) }),
    el("i", { style: width(m.median) }), hasNoise(platform) ? el("u", { style: `left:${Math.min(100, (100 * noise) / end).toFixed(1)}%` }) : ""); };
  return [table("Accuracy by model", [{ title: "model", text: true }, { title: "errors", show: bar }, { title: "median", show: percent }, { title: "95 %", show: percent },
    { title: "worst", show: percent }, { title: "bias", show: signed }], models.map((m) => [m.model, m.model, m.median, m.p95, m.worst, m.bias])),
  el("p", {}, `Of ${countOf(models[0]?.points || 0, "collective")} that did not choose the model. Dark: median error; pale: 95 % (cut at ${percent(end)}); red: the noise floor, ${hasNoise(platform) ? percent(noise) : "which too few repetitions leave unknown"}.`)];
};

const trustSection = (platform, validation) => [
  el("p", {}, platform.reason ? `Predictions here use ${platform.model}: ${platform.reason}.` : "No collectives were measured that predictions can be compared with."),
  platform.held_out || validation ? el("div", { class: "pair table" }, scatterChart(platform, validation), platform.held_out ? el("div", {}, ...accuracyTable(platform)) : null) : null,
  validation ? folded("Errors of the later validation, by algorithm", table("Errors of the validation", [{ title: "model", text: true }, { title: "collective", text: true },
    { title: "algorithm", text: true }, { title: "predictions" }, { title: "median", show: percent }, { title: "95 %", show: percent }, { title: "worst", show: percent }, { title: "bias", show: signed }],
  validation.summaries.map((s) => [s.model, s.collective, s.algorithm || "–", s.rows, s.median, s.p95, s.worst, s.bias]))) : null,
  platform.held_out ? folded("Every measured collective", table("Measured collectives", [{ title: "collective", text: true }, { title: "algorithm", text: true }, { title: "ranks" },
    { title: "bytes", show: bytes }, { title: "segment", show: (s) => (s ? bytes(s) : "–") }, { title: "measured", show: seconds }, { title: platform.model, show: seconds }, { title: "error", show: signed }],
  platform.held_out.collectives.map((c, i) => { const p = platform.held_out.predicted[platform.model]?.[i]; return [c.collective, c.algorithm, c.ranks, c.bytes, c.segment, c.measured[0], p, p ? p / c.measured[0] - 1 : null]; }))) : null,
];
