"use strict";
const said = JSON.parse(document.getElementById("data").textContent);
const table = document.getElementById("matrix");
const heads = [...table.tHead.rows[0].cells];

function sortBy(index) {
  const head = heads[index];
  // Numbers begin with the largest, names with the first.
  const first = index === 0 ? "ascending" : "descending";
  const second = index === 0 ? "descending" : "ascending";
  const order = head.getAttribute("aria-sort") === first ? second : first;
  heads.forEach((one) => one.setAttribute("aria-sort", one === head ? order : "none"));
  const value = (row) => row.cells[index].dataset.sort;
  const rows = [...table.tBodies[0].rows].sort((a, b) =>
    index === 0 ? value(a).localeCompare(value(b)) : Number(value(a)) - Number(value(b)));
  if (order === "descending") rows.reverse();
  table.tBodies[0].append(...rows);
}
heads.forEach((head, index) => head.querySelector("button").addEventListener("click", () => sortBy(index)));

function cell(row, kind, text) {
  const made = row.appendChild(document.createElement(kind));
  made.textContent = text;  // never innerHTML: a name may say anything
  return made;
}
const points = (value) => (value > 0 ? "+" : "") + (100 * value).toFixed(1);

function showPairs() {
  const column = Number(document.getElementById("column").value);
  const question = Number(document.getElementById("question").value);
  const tests = new Map();
  for (const pair of said.pairs) {
    if (pair[0] !== column) continue;
    const [gain, low, high, p] = pair[question];
    tests.set(pair[2] + " " + pair[1], [gain, low, high, p]);
    tests.set(pair[1] + " " + pair[2], [-gain, -high, -low, p]);
  }
  const shown = said.models.map((_, index) => index)
    .filter((index) => [...tests.keys()].some((key) => key.split(" ")[0] === String(index)));
  const pairs = document.getElementById("pairs");
  pairs.replaceChildren();
  const top = pairs.createTHead().insertRow();
  cell(top, "th", "");
  shown.forEach((other) => { cell(top, "th", said.models[other]).className = "n"; });
  const body = pairs.createTBody();
  for (const one of shown) {
    const row = body.insertRow();
    cell(row, "th", said.models[one]);
    for (const other of shown) {
      const test = tests.get(one + " " + other);
      const made = cell(row, "td", test ? points(test[0]) : "");
      if (!test) continue;
      made.className = test[3] >= 0.05 ? "open" : test[0] > 0 ? "better" : "worse";
      made.title = "95 % " + points(test[1]) + " to " + points(test[2]) + ", p (Holm) " + test[3].toPrecision(2);
    }
  }
}
const columns = document.getElementById("column");
if (columns) {
  said.columns.forEach((name, index) => {
    const option = columns.appendChild(document.createElement("option"));
    option.value = String(index);
    option.textContent = name;
  });
  columns.addEventListener("change", showPairs);
  document.getElementById("question").addEventListener("change", showPairs);
  showPairs();
}
