"use strict";
// Draws the report from the JSON in #data. No framework: elements are made by `el`, charts by uPlot.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const colours = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9"];
  const style = getComputedStyle(document.documentElement);
  const ink = style.getPropertyValue("--ink").trim();
  const line = style.getPropertyValue("--line").trim();

  const el = (name, attributes = {}, ...children) => {
    const node = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    node.append(...children.filter((child) => child !== null && child !== undefined));
    return node;
  };

  const scaled = (value, steps) => {
    if (value === null || value === undefined || !Number.isFinite(value)) return "–";
    if (value === 0) return "0 " + steps[steps.length - 1][1];
    const [factor, unit] = steps.find(([f]) => Math.abs(value) >= f) || steps[steps.length - 1];
    return Number((value / factor).toPrecision(4)) + " " + unit;
  };
  const seconds = (s) => scaled(s, [[1, "s"], [1e-3, "ms"], [1e-6, "µs"], [1e-9, "ns"]]);
  const rate = (r) => scaled(r, [[1e12, "TB/s"], [1e9, "GB/s"], [1e6, "MB/s"], [1e3, "kB/s"], [1, "B/s"]]);
  const bytes = (b) => {
    for (const [f, u] of [[2 ** 30, "G"], [2 ** 20, "M"], [2 ** 10, "K"]]) if (b >= f) return Number((b / f).toPrecision(3)) + u;
    return String(b);
  };
  const percent = (x) => (100 * x).toFixed(1) + " %";

  const table = (columns, rows) => el("div", { class: "scroll" }, el("table", {},
    el("thead", {}, el("tr", {}, ...columns.map((c) => el("th", { scope: "col", class: c.text ? "text" : "" }, c.title)))),
    el("tbody", {}, ...rows.map((row) => el("tr", {}, ...row.map((cell, i) =>
      el("td", { class: [columns[i].text ? "text" : "", columns[i].wide ? "wide" : ""].join(" ") }, cell)))))));

  const card = (big, small) => el("div", { class: "card" }, el("b", {}, big), el("span", {}, small));

  // A log-log chart. Series: {label, values, band: [lower, upper], dash, points}.
  const pending = [];
  const chart = (caption, xLabel, yLabel, xs, series, format = {}) => {
    const box = el("div", { role: "img", "aria-label": caption });
    const figure = el("figure", {}, el("figcaption", {}, caption), box);
    const columns = [xs];
    const options = [{ label: xLabel, value: (_, v) => v === null ? "" : (format.x || bytes)(v) }];
    const bands = [];
    // What an interval says of nearly nothing must not press the curves flat: bands end a factor beyond all of them.
    const drawn = series.flatMap((s) => s.values).filter((v) => v > 0);
    const [least, most] = [Math.min(...drawn) / 4, Math.max(...drawn) * 4];
    const inSight = (v) => v === null || v === undefined ? v : Math.min(Math.max(v, least), most);
    for (const [i, s] of series.entries()) {
      const colour = s.colour || colours[i % colours.length];
      columns.push(s.values);
      options.push({ label: s.label, stroke: colour, width: s.points ? 0 : 2, dash: s.dash, spanGaps: true,
        paths: s.points ? () => null : undefined, points: { show: s.points || false, size: 7, fill: colour },
        value: (_, v) => v === null || v === undefined ? "" : (format.y || seconds)(v) });
      if (s.band) {
        for (const [end, edge] of s.band.entries()) {
          columns.push(edge.map(inSight));
          options.push({ label: s.label + (end ? " upper" : " lower"), stroke: colour + "55", width: 0.5, points: { show: false } });
        }
        bands.push({ series: [options.length - 1, options.length - 2], fill: colour + "33" });
      }
    }
    const axis = (label, values, size) => ({ label, values, size, stroke: ink, grid: { stroke: line, width: 0.5 }, ticks: { stroke: line } });
    pending.push(() => {
      const plot = new uPlot({
      width: Math.max(240, box.clientWidth), height: 300, series: options, bands,
      scales: { x: { time: false, distr: 3, log: format.xLog || 2 }, y: { distr: 3 } },
      axes: [axis(xLabel, (_, splits) => splits.map((v) => v === null ? "" : (format.x || bytes)(v)), 44),
             axis(yLabel, (_, splits) => splits.map((v) => v === null ? "" : (format.y || seconds)(v)), 82)],
      legend: { live: false },
      }, columns, box);
      // The edges of a band are no curves of their own; the legend leaves out the series of sizes.
      for (const { series: edges } of bands) for (const i of edges) plot.root.querySelectorAll(".u-legend .u-series")[i - 1].hidden = true;
      new ResizeObserver(() => plot.setSize({ width: Math.max(240, box.clientWidth), height: 300 })).observe(box);
    });
    return figure;
  };

  const byKey = (items, key) => {
    const groups = new Map();
    for (const item of items) {
      const k = key(item);
      if (!groups.has(k)) groups.set(k, []);
      groups.get(k).push(item);
    }
    return groups;
  };
  const middle = (values) => { const v = [...values].sort((a, b) => a - b); return v[v.length >> 1]; };

  const dashes = [undefined, [6, 4], [2, 3], [8, 3, 2, 3]];
  const modelStyle = (i) => ({ colour: colours[(i + 1) % colours.length], dash: dashes[Math.floor((i + 1) / colours.length) % 4] || (i ? [6, 4] : undefined) });
  // A predicted curve at the sizes of a chart.
  const atSizes = (curve, key, sizes) => { const at = new Map(curve.bytes.map((m, i) => [m, curve[key][i]])); return sizes.map((m) => at.get(m) ?? null); };

  // Where a model feels contention: messages that share a channel.
  const sharingCharts = (platform, channel, sizes) => [...byKey(platform.curves.filter((c) => c.channel === channel && c.bytes), (c) => c.model)]
    .filter(([, list]) => list.length > 1)
    .map(([model, list]) => chart(`Messages that share ${channel}, by ${model}`, "message size [bytes]", "predicted time", sizes,
      list.map((c, i) => ({ label: c.sharing === 1 ? "alone" : `${c.sharing} at once`, colour: colours[i + 1],
        values: atSizes(c, "seconds", sizes), band: [atSizes(c, "lower", sizes), atSizes(c, "upper", sizes)] }))));

  const messageCharts = (platform) => {
    const figures = [];
    for (const [channel, points] of byKey(platform.points.filter((p) => p.bytes > 0), (p) => p.channel)) {
      const bySize = [...byKey(points, (p) => p.bytes)].sort((a, b) => a[0] - b[0]);
      const sizes = bySize.map(([size]) => size);
      const of = (pick) => bySize.map(([, list]) => middle(list.map(pick)));
      const pairs = new Set(points.map((p) => p.source + "-" + p.target)).size;
      const low = bySize.map(([, list]) => Math.min(...list.map((p) => p.one_way.lower ?? p.one_way.value)));
      const high = bySize.map(([, list]) => Math.max(...list.map((p) => p.one_way.upper ?? p.one_way.value)));
      const series = [{ label: "measured", values: of((p) => p.one_way.value), band: [low, high], points: true }];
      const predicted = platform.curves.filter((c) => c.channel === channel && c.sharing === 1);
      predicted.forEach((c) => series.push({ label: c.model, ...modelStyle(platform.models.findIndex((t) => t.model === c.model)), values: atSizes(c, "seconds", sizes),
        band: [atSizes(c, "lower", sizes), atSizes(c, "upper", sizes)] }));
      const band = pairs > 1 ? `median and range of ${pairs} pairs` : "median with 95 % interval";
      figures.push(chart(`One message over ${channel} (${band})`, "message size [bytes]", "one-way time", sizes, series));
      figures.push(chart(`Bandwidth over ${channel}`, "message size [bytes]", "bandwidth", sizes,
        [{ label: "measured", values: of((p) => p.bytes / p.one_way.value), points: true }], { y: rate }));
      figures.push(...sharingCharts(platform, channel, sizes));
    }
    const missing = platform.curves.filter((c) => c.missing).map((c) => el("p", {}, `${c.model} over ${c.channel}: ${c.missing}.`));
    return el("div", {}, el("div", { class: "charts" }, ...figures), ...missing);
  };

  // Of a curve or a surface its ends; of a value itself.
  const parameterTable = (platform) => {
    const rows = [];
    let pairs = 0;
    for (const t of platform.models) for (const g of t.groups) {
      if (g.scope.pair) { pairs += 1; continue; }
      const where = g.scope.processor === undefined ? g.scope.channel : "rank " + g.scope.processor;
      for (const [symbol, e] of Object.entries(g.parameters)) {
        const unit = (platform.units[t.model] || {})[symbol];
        const show = (x) => (x === null || x === undefined ? "–" : unit === "s/B" ? Number((x * 1e9).toPrecision(4)) + " ns/B"
          : unit === "B/s" ? rate(x) : unit === "s" ? seconds(x) : unit === "B" ? bytes(x) : String(Number(x.toPrecision(4))));
        const ends = (points, note) => [points[0], points[points.length - 1]].map((p) => `${show(p.value)} at ${bytes(p.bytes)}`)
          .slice(0, points.length > 1 ? 2 : 1).join(" … ") + note;
        if (e.rows) {
          for (const r of e.rows) rows.push([t.model, where, bytes(g.from_bytes), `${symbol}, ${r.at}`, ends(r.points, ""), "–", "–"]);
        } else if (e.points) {
          rows.push([t.model, where, bytes(g.from_bytes), symbol, ends(e.points, e.points.length > 2 ? `, ${e.points.length} points` : ""), "–", "–"]);
        } else {
          rows.push([t.model, where, bytes(g.from_bytes), symbol, show(e.value), show(e.lower), show(e.upper)]);
        }
      }
    }
    return [table([{ title: "model", text: 1 }, { title: "channel or rank", text: 1 }, { title: "from size" }, { title: "parameter", text: 1 },
      { title: "value" }, { title: "95 % from" }, { title: "to" }], rows),
      pairs ? el("p", {}, `${pairs} further sets belong to single pairs of ranks, since the pairs differ; the platform file holds them.`) : null];
  };

  const validationCharts = (validation) => {
    const figures = [];
    const work = byKey(validation.rows.filter((r) => r.bytes > 0), (r) => (r.collective === "p2p" ? "One message" : r.collective + " " + r.algorithm) + (r.segment ? " in segments" : ""));
    for (const [name, rows] of work) {
      const sizes = [...new Set(rows.map((r) => r.bytes))].sort((a, b) => a - b);
      if (sizes.length < 2) continue;
      const at = (list, pick) => sizes.map((m) => { const found = list.filter((r) => r.bytes === m); return found.length ? middle(found.map(pick)) : null; });
      const series = [{ label: "measured", values: at(rows, (r) => r.measured), points: true,
        band: [at(rows, (r) => r.measured_lower ?? r.measured), at(rows, (r) => r.measured_upper ?? r.measured)] }];
      [...byKey(rows, (r) => r.model)].forEach(([model, list], i) => series.push({ label: model, colour: colours[i + 1],
        dash: i ? [6, 4] : undefined, values: at(list, (r) => r.predicted) }));
      figures.push(chart(`${name}, predicted and measured`, "message size [bytes]", "time", sizes, series));
    }
    const sorted = [...validation.rows].filter((r) => r.predicted > 0).sort((a, b) => a.measured - b.measured);
    if (sorted.length > 1) {
      const models = [...new Set(sorted.map((r) => r.model))];
      const series = models.map((model, i) => ({ label: model, points: true, colour: colours[i + 1],
        values: sorted.map((r) => (r.model === model ? r.predicted : null)) }));
      series.push({ label: "exact", colour: ink, dash: [2, 3], values: sorted.map((r) => r.measured) });
      figures.push(chart("Every prediction against its measurement", "measured", "predicted", sorted.map((r) => r.measured), series, { x: seconds, xLog: 10 }));
    }
    return el("div", { class: "charts" }, ...figures);
  };

  const errorTable = (validation) => table(
    [{ title: "model", text: 1 }, { title: "collective", text: 1 }, { title: "algorithm", text: 1 }, { title: "predictions" },
     { title: "median error" }, { title: "95th percentile" }, { title: "largest" }, { title: "within 10 %" }, { title: "bias" }],
    validation.summaries.map((s) => [s.model, s.collective, s.algorithm || "–", s.rows, percent(s.median), percent(s.p95), percent(s.max),
      percent(s.within), (s.bias > 0 ? "+" : "") + percent(s.bias)]));

  const main = document.getElementById("main");
  const headline = [];
  for (const platform of data.platforms) {
    const validation = data.validations.find((v) => v.platform.name === platform.name);
    const section = el("section", { class: "platform" }, el("h2", {}, platform.name + (platform.is_virtual ? " (simulated)" : "")),
      el("p", {}, `${platform.implementation}; ${platform.ranks.length} ranks on ${platform.nodes.length} node${platform.nodes.length > 1 ? "s" : ""}` +
        (platform.created ? `; measured ${platform.created}` : "")));
    const cards = el("div", { class: "cards" });
    const p2p = platform.points.filter((p) => p.bytes > 0);
    if (p2p.length) {
      cards.append(card(seconds(middle(p2p.filter((p) => p.bytes === Math.min(...p2p.map((q) => q.bytes))).map((p) => p.one_way.value))), "smallest message, one way"),
        card(rate(Math.max(...p2p.map((p) => p.bytes / p.one_way.value))), "highest bandwidth of a pair"));
    }
    if (validation) {
      for (const s of validation.summaries.filter((x) => x.collective === "p2p")) cards.append(card(percent(s.median), `${s.model}: median error on unseen messages`));
      headline.push(platform.name);
    }
    section.append(cards, el("h3", {}, "Network"), el("figure", { class: "drawing" },
      el("img", { src: "data:image/svg+xml," + encodeURIComponent(platform.drawing), alt: `Groups, hosts and links of ${platform.name}` })));
    section.append(el("h3", {}, "Messages"), messageCharts(platform));
    section.append(el("details", {}, el("summary", {}, "Parameters of the models"), ...parameterTable(platform).filter(Boolean)));
    if (validation) section.append(el("h3", {}, "Predicted against measured"),
      el("p", {}, "On sizes and collectives to which no parameter was fitted."), validationCharts(validation), el("h3", {}, "Errors"), errorTable(validation));
    main.append(section);
  }
  const comparisonCharts = (rows) => [...byKey(rows, (r) => `${r.collective} among ${r.P} ranks, ${r.model}`)].map(([name, own]) => {
    const sizes = [...new Set(own.map((r) => r.bytes))].filter((m) => m > 0).sort((a, b) => a - b);
    if (sizes.length < 2) return null;
    const series = [...byKey(own, (r) => r.algorithm)].map(([algorithm, list], i) => ({ label: algorithm, colour: colours[i % colours.length],
      dash: [undefined, [6, 3], [2, 3]][Math.floor(i / colours.length) % 3],
      values: sizes.map((m) => { const at = list.filter((r) => r.bytes === m).map((r) => r.seconds); return at.length ? Math.min(...at) : null; }) }));
    return chart(name + ", each algorithm with its best segment", "message size [bytes]", "predicted time", sizes, series);
  }).filter(Boolean);
  if (data.comparisons.length) {
    main.append(el("section", { id: "comparisons" }, el("h2", {}, "Algorithms compared"), el("p", {}, "By prediction; postage compare ranks them at any size."),
      el("div", { class: "charts" }, ...data.comparisons.flatMap(comparisonCharts))));
  }
  if (data.doctor && Array.isArray(data.doctor.findings)) {
    main.append(el("section", { id: "doctor" }, el("h2", {}, "This machine"), table(
      [{ title: "topic", text: 1 }, { title: "status", text: 1 }, { title: "seen", text: 1, wide: 1 }, { title: "what to do", text: 1, wide: 1 }],
      data.doctor.findings.map((f) => [f.topic, el("span", { class: f.status }, f.status), f.seen || "", f.advice || f.fix || ""]))));
  }
  document.getElementById("intro").textContent =
    `${data.platforms.length} platform${data.platforms.length === 1 ? "" : "s"} measured` + (headline.length ? `; predictions checked on ${headline.join(" and ")}.` : ".");
  pending.forEach((draw) => draw());
})();
