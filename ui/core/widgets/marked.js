// Draws lines of marked text. Text reaches the page through textContent alone: mail stays inert.
const SIGNS = { yes: "✓", no: "✕", warn: "!", info: "i", dot: "·" };
const MARKS = new Set(["plain", "strong", "quiet", "cite", "block", "hold", "info", "added",
  "removed", "hidden", "code"]);

function lead(key) {
  const place = document.querySelector(`.st-key-${CSS.escape(key)}`);
  if (!place) return;
  place.scrollIntoView({ block: "nearest", behavior: "smooth" });
  place.classList.remove("led-to");
  void place.offsetWidth; // so that the same place is shown again
  place.classList.add("led-to");
}

function piece(run) {
  const span = document.createElement(run.to ? "button" : "span");
  span.className = MARKS.has(run.mark) ? run.mark : "plain";
  span.textContent = run.text;
  if (run.note) span.title = run.note;
  if (run.to) {
    span.type = "button";
    span.addEventListener("click", () => lead(run.to));
  }
  return span;
}

function paragraph(line, look) {
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
  if (look === "one") words.title = words.textContent; // its end may be cut off
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
  root.replaceChildren(...given.lines.map((line) => paragraph(line, given.look)));
}
