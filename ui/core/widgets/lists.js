// Draws the lines of a list, each of them one button that is called what is read in it. Mail stays inert: textContent alone.
const TONES = new Set(["bad", "warn", "good", "info", "quiet", "accent"]);

function made(tag, look, text, title) {
  const node = document.createElement(tag);
  if (look) node.className = look;
  if (text) node.textContent = text;
  if (title) node.title = title;
  return node;
}

function small(piece) {
  if (piece.at) {
    const time = made("time", "", piece.text, piece.note);
    time.dateTime = piece.at;
    return time;
  }
  const tone = TONES.has(piece.tone) ? `chip ${piece.tone}` : "muted";
  return made("span", tone, piece.text, piece.note);
}

function drawn(line, open) {
  const button = made("button", "a-line");
  button.type = "button";
  button.dataset.line = line.id;
  if (line.opened) button.setAttribute("aria-current", "true");
  const head = made("span", "a-head");
  head.append(made("span", "a-who", line.who), ...[...line.marks, ...line.when].map(small));
  const about = made("span", "a-about");
  about.append(made("span", "a-subject", line.subject));
  if (line.preview) {
    const preview = made("span", "a-preview", line.preview);
    preview.setAttribute("aria-hidden", "true"); // its page tells it; here it would be a speech
    about.append(preview);
  }
  const foot = made("span", "a-foot");
  if (line.why) foot.append(made("span", "a-why", line.why, line.why));
  if (line.labels.length) {
    const labels = made("span", "chips");
    labels.append(...line.labels.map(small));
    foot.append(labels);
  }
  button.append(head, about);
  if (foot.childElementCount) button.append(foot);
  button.addEventListener("click", () => open(line.id));
  return button;
}

export default function (component) {
  const { data, parentElement, setTriggerValue } = component;
  let root = parentElement.querySelector(".a-list");
  if (!root) {
    root = made("div", "a-list");
    parentElement.appendChild(root);
  }
  const held = root.contains(document.activeElement) ? document.activeElement.dataset.line : null;
  const lines = JSON.parse(data);
  root.replaceChildren(...lines.map((line) => drawn(line, (id) => setTriggerValue("open", id))));
  if (held) [...root.children].find((line) => line.dataset.line === held)?.focus();
}
