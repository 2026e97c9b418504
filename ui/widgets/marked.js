// Draws lines of marked text. Text reaches the page through textContent alone: mail stays inert.
const SIGNS = { yes: "✓", no: "✕", warn: "!", info: "i", dot: "·" };
const MARKS = new Set(["plain", "strong", "quiet", "cite", "block", "hold", "info", "added",
  "removed", "hidden", "code"]);

function piece(run) {
  const span = document.createElement("span");
  span.className = MARKS.has(run.mark) ? run.mark : "plain";
  span.textContent = run.text;
  if (run.note) span.title = run.note;
  return span;
}

function paragraph(line) {
  const row = document.createElement("div");
  row.className = "line";
  if (SIGNS[line.icon]) {
    const sign = document.createElement("span");
    sign.className = "sign " + line.icon;
    sign.textContent = SIGNS[line.icon];
    row.appendChild(sign);
  }
  const words = document.createElement("div");
  words.className = "words";
  for (const run of line.runs) words.appendChild(piece(run));
  row.appendChild(words);
  return row;
}

export default function (component) {
  const { data, parentElement } = component;
  const given = JSON.parse(data);
  let root = parentElement.querySelector(".marked");
  if (!root) {
    root = document.createElement("div");
    parentElement.appendChild(root);
  }
  root.className = "marked " + given.look;
  root.replaceChildren(...given.lines.map(paragraph));
}
