"use strict";
const responses = JSON.parse(document.getElementById("data").textContent);
const panel = document.getElementById("response");
function show(cell) {
  const one = responses[cell.dataset.key];
  if (!one || !panel) return;
  document.querySelectorAll("[aria-pressed=true]").forEach((c) => c.setAttribute("aria-pressed", "false"));
  cell.setAttribute("aria-pressed", "true");
  const facts = [
    ["graded", one.outcome + (one.method ? " by " + one.method : "") + (one.reason ? ": " + one.reason : "")],
    ["extracted answer", one.extracted === null ? "none" : one.extracted],
    ["gold answer", one.gold],
    ["ended", { length: "cut off by the token limit", turns: "out of turns" }[one.finish] || "by the model"],
    ["tokens", String(one.tokens)],
    ["seed", one.seed],
  ];
  if (one.score !== Number(one.outcome === "correct")) facts.splice(1, 0, ["score", String(one.score)]);
  for (const [name, value] of Object.entries(one.columns)) {
    facts.push(["column " + name, typeof value === "string" ? value : JSON.stringify(value)]);
  }
  const title = document.createElement("h3");
  title.textContent = one.problem + ", sample " + one.sample;
  const list = document.createElement("table");
  for (const [name, value] of facts) {
    const line = list.insertRow();
    line.insertCell().textContent = name;
    line.insertCell().textContent = value;
  }
  const text = document.createElement("pre");
  // Never innerHTML: the text is the model's, and its tools'.
  text.append(...(one.segments.length ? one.segments.map(segment) : [one.text]));
  const parts = [title, list];
  if (one.reasoning) {
    const thought = document.createElement("details");
    thought.className = "reasoning";
    const summary = document.createElement("summary");
    summary.textContent = "Reasoning, kept apart by the server: " + one.reasoning.length + " characters";
    const inner = document.createElement("pre");
    inner.textContent = one.reasoning;
    thought.append(summary, inner);
    parts.push(thought);
  }
  panel.replaceChildren(...parts, text);
  panel.hidden = false;
}
function segment([written, said]) {
  if (written) return said;
  const folded = document.createElement("details");
  const summary = document.createElement("summary");
  summary.textContent = "environment: " + said.length + " characters";
  folded.className = "environment";
  folded.append(summary, said);
  return folded;
}
document.addEventListener("click", (event) => {
  const cell = event.target.closest("[data-key]");
  if (cell) show(cell);
});
