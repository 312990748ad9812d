// Charts with logarithmic axes, by uPlot. A chart is drawn again where colours, width or the shown models change.
// Okabe and Ito's colours and two more; lighter ones on dark paper, and dark ones on a printer's.
const inLight = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#8C6BB1", "#66A61E"];
const inDark = ["#4FA3E0", "#FF8534", "#2FBF8F", "#E59CC8", "#F0B429", "#8AD0F5", "#B09CE8", "#9CCB55"];
const paletteNow = () => (matchMedia("(prefers-color-scheme: dark)").matches && !matchMedia("print").matches ? inDark : inLight);
const dashes = [undefined, [7, 4], [2, 3]];
const lookOf = (i) => ({ number: i % inLight.length, dash: dashes[Math.floor(i / inLight.length) % dashes.length] });
const drawn = [];
const variable = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

// What an interval says of nearly nothing must not press the curves flat: bands end a factor beyond all curves.
const clipped = (series) => {
  const values = series.flatMap((s) => s.values).filter((v) => v > 0);
  const [least, most] = [Math.min(...values) / 2, Math.max(...values) * 2];
  return (v) => (v === null || v === undefined ? null : Math.min(Math.max(v, least), most));
};

// Marks of a logarithmic axis: powers of its base, twice and five times those of ten where they are few; at most ten.
const marksOf = (base, splits, most = 10) => {
  const isPower = (v) => Math.abs(Math.log(v) / Math.log(base) - Math.round(Math.log(v) / Math.log(base))) < 1e-6;
  let kept = splits.filter((v) => v > 0 && isPower(v));
  if (base === 10 && kept.length < 3) kept = splits.filter((v) => v > 0 && [1, 2, 5].includes(Math.round(v / 10 ** Math.floor(Math.log10(v) + 1e-9))));
  const step = Math.ceil(kept.length / most);
  const shown = new Set(kept.filter((_, i) => i % step === 0));
  return splits.map((v) => (shown.has(v) ? v : null));
};
const rounded = (value, up) => {
  const power = 10 ** Math.floor(Math.log10(value));
  const steps = [1, 2, 5, 10].map((f) => f * power);
  return up ? steps.find((v) => v >= value * 0.999) : steps.reverse().find((v) => v <= value * 1.001);
};

// Data and options of uPlot for series {label, values, band: [lower, upper], dots, look}.
const plotOf = (spec, width) => {
  const ink = variable("--ink");
  const line = variable("--line");
  const columns = [spec.xs];
  const options = [{ label: spec.xLabel, value: (_, v) => (v === null ? "" : spec.showX(v)) }];
  const bands = [];
  const inSight = clipped(spec.series);
  const palette = paletteNow();
  const colourOf = (s) => (s.look.ink ? ink : s.look.grey ? "#888888" : palette[s.look.number]);
  for (const s of spec.series) {
    const colour = colourOf(s);
    columns.push(s.values);
    options.push({ label: s.label, stroke: colour, width: s.dots ? 0 : 2, dash: s.look?.dash, spanGaps: true,
      paths: s.dots ? () => null : undefined, points: { show: Boolean(s.dots), size: spec.dotSize || 6, fill: colour },
      value: (_, v) => (v === null || v === undefined ? "" : spec.showY(v)) });
    if (s.band) {
      for (const edge of s.band) {
        columns.push(edge.map(inSight));
        options.push({ stroke: colour + "55", width: s.dots ? 0 : 0.5, points: { show: false } });
      }
      bands.push({ series: [options.length - 1, options.length - 2], fill: colour + "2e" });
    }
  }
  const axis = (label, show, base, size, labelSize, most) => ({ label, size, labelSize, labelGap: 0, gap: 4, stroke: ink, font: "12px system-ui, sans-serif", labelFont: "12px system-ui, sans-serif",
    filter: (_, splits) => marksOf(base, splits, most), values: (_, splits) => splits.map((v) => (v === null ? "" : show(v))),
    grid: { stroke: line, width: 1, filter: (_, splits) => marksOf(base, splits, most) }, ticks: { show: false } });
  const looks = [null, ...spec.series.flatMap((s) => [s, ...(s.band ? [null, null] : [])])];
  return [{ width, height: spec.height || 300, series: options, bands, cursor: { drag: { x: true, y: false } },
    legend: { markers: { width: 0, fill: (_, i) => (looks[i] ? colourOf(looks[i]) : "transparent") } },
    scales: { x: { time: false, distr: 3, log: spec.xLog || 2, range: spec.range && (() => spec.range) }, y: { distr: 3, range: spec.range && (() => spec.range) } },
    axes: [axis(spec.xLabel, spec.showX, spec.xLog || 2, 24, 18, Math.max(2, Math.min(10, Math.floor((width - 80) / 56)))), axis(spec.yLabel, spec.showY, 10, 66, 20)] }, columns];
};

const redraw = (chart) => {
  chart.plot?.destroy();
  const [options, columns] = plotOf(chart.spec(), Math.max(240, chart.box.clientWidth));
  chart.plot = new uPlot(options, columns, chart.box);
  // The legend leaves out sizes and the edges of bands, which are no curves of their own.
  chart.plot.root.querySelectorAll(".u-legend .u-marker").forEach((m, i) => { if (options.series[i]?.paths) m.classList.add("dot"); });
  options.series.forEach((s, i) => { if (i > 0 && !s.label) chart.plot.root.querySelectorAll(".u-legend .u-series")[i].hidden = true; });
};
const redrawAll = () => drawn.forEach(redraw);

// `spec` is a function, since what is shown changes. The table says the same as the picture, to a reader who cannot see it.
const chart = (title, said, spec) => {
  const box = el("div", { class: "chart", role: "img", "aria-label": `${title}. ${said}` });
  const one = { box, spec };
  drawn.push(one);
  const rows = () => { const { xs, series } = spec(); return xs.map((x, i) => [x, ...series.flatMap((s) => [s.values[i], ...(s.band ? [s.band[0][i], s.band[1][i]] : [])])]); };
  const head = () => { const { xLabel, series } = spec(); return [xLabel, ...series.flatMap((s) => [s.label, ...(s.band ? [`${s.label} from`, `${s.label} to`] : [])])]; };
  return el("figure", {}, el("figcaption", {}, el("span", {}, title), copyButton(title, () => csv(head(), rows()))), box);
};

const watchCharts = () => {
  redrawAll();
  let width = window.innerWidth;
  addEventListener("resize", () => { if (window.innerWidth !== width) { width = window.innerWidth; redrawAll(); } });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redrawAll);
  const print = matchMedia("print");
  print.addEventListener("change", redrawAll);
};
