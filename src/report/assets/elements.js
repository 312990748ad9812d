"use strict";
// Elements, numbers as text, tables that can be sorted and copied. No framework.
const el = (name, attributes = {}, ...children) => {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(key, value);
    else if (value !== undefined && value !== null && value !== false) node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return node;
};

const number = (value, digits = 3) => Number(value.toPrecision(digits)).toString();
const scaled = (value, steps) => {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  if (value === 0) return "0 " + steps[steps.length - 1][1];
  const [factor, unit] = steps.find(([f]) => Math.abs(value) >= f * 0.9995) || steps[steps.length - 1];
  return number(value / factor) + " " + unit;
};
const seconds = (s) => scaled(s, [[1, "s"], [1e-3, "ms"], [1e-6, "µs"], [1e-9, "ns"]]);
const rate = (r) => scaled(r, [[1e12, "TB/s"], [1e9, "GB/s"], [1e6, "MB/s"], [1e3, "kB/s"], [1, "B/s"]]);
const bytes = (b) => {
  if (b === null || b === undefined) return "–";
  for (const [f, u] of [[2 ** 30, "G"], [2 ** 20, "M"], [2 ** 10, "K"]]) if (b >= f) return number(b / f) + u;
  return String(b);
};
const percent = (x) => (x === null || x === undefined ? "–" : x !== 0 && Math.abs(x) < 1e-5 ? "< 0.001 %" : Math.abs(x) >= 100 ? "> 9999 %" : (Math.abs(x) >= 0.995 ? (100 * x).toFixed(0) : number(100 * x, 2)) + " %");
const signed = (x) => (x >= 1e-5 && x < 100 ? "+" : "") + percent(x).replace("-", "\u2212");
const times = (x) => (x >= 9.95 ? x.toFixed(0) : x.toFixed(2));

const csvCell = (value) => {
  const text = value === null || value === undefined ? "" : String(value);
  return /[",\n]/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text;
};
const csv = (head, rows) => [head, ...rows].map((row) => row.map(csvCell).join(",")).join("\n") + "\n";

// A file that was opened from a disk may have no clipboard: then the old way.
const copy = async (text) => {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = el("textarea", { class: "unseen" });
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
};
const copyButton = (what, text) => {
  const button = el("button", { type: "button", class: "csv", "aria-label": `Copy as CSV: ${what}`, click: async () => {
    await copy(text());
    button.textContent = "Copied";
    document.getElementById("said").textContent = `Copied: ${what}`;
    setTimeout(() => { button.textContent = "CSV"; }, 1500);
  } }, "CSV");
  return button;
};

// Columns: {title, text, wide, show}; a cell is what is sorted and copied, `show` makes of it what is seen.
const plain = (value) => (value instanceof Node ? value.textContent : value);
const compared = (a, b) => {
  if (a === null || a === undefined) return b === null || b === undefined ? 0 : 1;
  if (b === null || b === undefined) return -1;
  return typeof a === "number" && typeof b === "number" ? a - b : String(plain(a)).localeCompare(String(plain(b)), "en", { numeric: true });
};
const table = (caption, columns, rows) => {
  const body = el("tbody");
  let shown = rows;
  const cell = (value, column, i) => {
    const text = column.show ? column.show(value) : value === null || value === undefined ? "–" : value;
    const classes = { class: [column.text ? "text" : "", column.wide ? "wide" : ""].join(" ").trim() || null };
    return i === 0 && column.text ? el("th", { scope: "row", ...classes }, text) : el("td", classes, text);
  };
  const fill = () => body.replaceChildren(...shown.map((row) => el("tr", {}, columns.map((column, i) => cell(row[i], column, i)))));
  const heads = columns.map((column, i) => {
    const head = el("th", { scope: "col", class: column.text ? "text" : null }, el("button", { type: "button", click: () => {
      const up = head.getAttribute("aria-sort") !== "ascending";
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      shown = [...rows].sort((a, b) => (up ? 1 : -1) * compared(a[i], b[i]));
      fill();
    } }, column.title));
    return head;
  });
  fill();
  return el("figure", { class: "table" }, el("figcaption", {}, el("span", {}, caption),
    copyButton(caption, () => csv(columns.map((c) => c.title), shown.map((row) => row.map(plain))))),
    el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": caption },
      el("table", { class: "data" }, el("caption", { class: "unseen" }, caption), el("thead", {}, el("tr", {}, heads)), body)));
};

const folded = (title, ...children) => el("details", {}, el("summary", {}, title), ...children);
const groupBy = (items, key) => {
  const groups = new Map();
  for (const item of items) {
    if (!groups.has(key(item))) groups.set(key(item), []);
    groups.get(key(item)).push(item);
  }
  return groups;
};
const middle = (values) => { const v = [...values].sort((a, b) => a - b); return v.length ? v[v.length >> 1] : null; };
// A drawing that the program made: its names are escaped there; scripts do not run in it.
const drawing = (svg) => {
  const node = document.importNode(new DOMParser().parseFromString(svg, "image/svg+xml").documentElement, true);
  node.removeAttribute("role");
  node.setAttribute("aria-hidden", "true");
  return node;
};
