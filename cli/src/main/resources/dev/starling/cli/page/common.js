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
