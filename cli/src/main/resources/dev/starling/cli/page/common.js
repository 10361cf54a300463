// Helpers that all pages share: elements, number formats, and the dashes of curves.
const $ = id => document.getElementById(id);
const NS = "http://www.w3.org/2000/svg";
const DASHES = [[], [7, 3], [2, 3], [9, 3, 2, 3], [12, 4], [5, 2, 1, 2, 1, 2], [1, 2], [4, 4]];
// From the ninth curve on, colours repeat with different dashes.
const dashOf = k => DASHES[(k + 3 * Math.floor(k / 8)) % 8];
function svg(parent, tag, attributes, text) {
  const node = document.createElementNS(NS, tag);
  for (const key in attributes) node.setAttribute(key, attributes[key]);
  if (text !== undefined) node.textContent = text;
  parent.appendChild(node);
  return node;
}
function html(parent, tag, text, className) {
  const node = document.createElement(tag);
  if (text !== undefined) node.textContent = text;
  if (className) node.className = className;
  parent.appendChild(node);
  return node;
}
function shown(x) {
  if (x === null || x === undefined) return "–";
  if (x === 0) return "0";
  const size = Math.abs(x);
  if (size >= 1e5 || size < 1e-3) return x.toExponential(2).replace(/\.?0+e/, "e").replace("e+", "e");
  if (Number.isInteger(x)) return String(x);
  return String(Number(x.toPrecision(3)));
}
function bytes(x) {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let k = 0;
  while (x >= 1000 && k < 4) { x /= 1000; k++; }
  return shown(x) + " " + units[k];
}
// Theorem 1 without its constant, from where the methods of a comparison start to the least that one of them reached.
function theoremOne(comparison) {
  const curves = comparison.algorithms.map(method => method.curve.filter(p => p.suboptimality > 0)).filter(points => points.length > 0);
  if (!(comparison.lowerBoundPerDigit > 0) || curves.length === 0) return [];
  const start = curves[0][0].suboptimality, least = Math.min(...curves.map(points => points[points.length - 1].suboptimality));
  const digits = Math.min(Math.log10(start / least), comparison.timeLimit / comparison.lowerBoundPerDigit);
  return [{ name: "Theorem 1 without its constant", curve: Array.from({ length: 41 }, (_, k) => ({
    time: comparison.lowerBoundPerDigit * digits * k / 40, suboptimality: start * 10 ** (-digits * k / 40) })) }];
}
// The curves of a comparison over an axis, a curve that diverges as far as 100 times where methods start, so that the others can be seen.
function curvesOver(comparison, axis, positive) {
  const top = 100 * Math.max(...comparison.algorithms.map(method => method.curve.length ? method.curve[0].suboptimality : 0));
  return comparison.algorithms.concat(axis === "time" ? theoremOne(comparison) : []).map(method => ({ ...method,
    curve: method.curve.filter(p => p.suboptimality > 0 && p.suboptimality <= top && p[axis] !== null && (!positive || p[axis] > 0)) }));
}
// About so many round numbers between low and high.
function ticks(low, high, about = 5) {
  const rough = (high - low) / about || 1, power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 5, 10].find(one => one * power >= rough * 0.999);
  const found = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k++) found.push(Number((k * step).toPrecision(12)));
  return found;
}
// Adds a table to an element; cells are texts, and the lines have an optional class.
function tableOf(parent, head, lines, className = () => "") {
  const body = html(html(parent, "div", undefined, "scroll"), "table");
  const first = html(body, "tr");
  head.forEach((text, c) => html(first, "th", text, className(-1, c)));
  lines.forEach((line, k) => {
    const row = html(body, "tr");
    line.forEach((text, c) => html(row, "td", text, className(k, c)));
  });
  return body;
}
const MOST_DOTS = 40;
// Draws coefficients as dots on lines, the largest first, with their intervals if these are known.
function dotPlot(card, lines, deviations, inOrder) {
  const key = deviations ? "perDeviation" : "coefficient", intervals = lines.some(one => one.lower !== undefined && one.lower !== null);
  const scale = one => deviations && one.coefficient ? one.perDeviation / one.coefficient : 1;
  const value = one => one[key];
  const sorted = lines.filter(one => one.feature !== "(intercept)" && one.coefficient !== 0);
  if (!inOrder) sorted.sort((a, b) => Math.abs(value(b)) - Math.abs(value(a)));
  const some = sorted.slice(0, MOST_DOTS);
  if (!some.length) { html(card, "p", "All coefficients are 0.", "hint"); return; }
  const ends = one => intervals && one.lower !== null ? [one.lower * scale(one), one.upper * scale(one)] : [value(one), value(one)];
  const width = Math.max(280, card.clientWidth - 34), line = 21, top = 6, bottom = 40;
  const longest = Math.max(...some.map(one => one.feature.length));
  const left = Math.min(width * .45, longest * 7.2 + 12);
  const all = some.flatMap(ends).concat(0), low = Math.min(...all), high = Math.max(...all), pad = (high - low) * .04 || 1;
  const x = v => left + (v - low + pad) / (high - low + 2 * pad) * (width - left - 8);
  const height = top + some.length * line + bottom;
  const image = svg(card, "svg", {viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": "Coefficients"});
  for (const tick of ticks(low - pad, high + pad, Math.max(2, Math.round((width - left) / 90)))) {
    svg(image, "line", {stroke: tick === 0 ? "var(--soft)" : "var(--grid)", x1: x(tick), x2: x(tick), y1: top, y2: height - bottom});
    svg(image, "text", {x: x(tick), y: height - bottom + 16, "text-anchor": "middle"}, shown(tick));
  }
  svg(image, "text", {x: width - 8, y: height - 4, "text-anchor": "end"}, deviations ? "per standard deviation of the feature" : "coefficient");
  some.forEach((one, k) => {
    const y = top + (k + .5) * line, group = svg(image, "g", {});
    svg(group, "title", {}, `${one.feature}: ` + Object.keys(one).filter(name => name !== "feature" && one[name] !== null).map(name => `${name} ${shown(one[name])}`).join(", "));
    const name = svg(group, "text", {x: left - 8, y: y + 4, "text-anchor": "end"}, one.feature);
    for (let n = one.feature.length - 1; n > 0 && name.getComputedTextLength() > left - 10; n--) name.textContent = one.feature.slice(0, n) + "…";
    svg(group, "line", {stroke: "var(--grid)", x1: left, x2: width - 8, y1: y, y2: y});
    const [from, to] = intervals ? ends(one) : [0, value(one)];
    svg(group, "line", {stroke: "var(--accent)", "stroke-width": intervals ? 2 : 1.5, "stroke-opacity": intervals ? 1 : .45, x1: x(from), x2: x(to), y1: y, y2: y});
    svg(group, "circle", {fill: "var(--accent)", cx: x(value(one)), cy: y, r: 4.5});
  });
  if (sorted.length > some.length) html(card, "p", `The ${some.length} largest of ${sorted.length}.`, "hint");
}
