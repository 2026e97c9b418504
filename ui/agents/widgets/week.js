// Draws the days of a week with what is on, each entry one button. Words are text: nothing in them acts.
function made(tag, look, text, title) {
  const node = document.createElement(tag);
  if (look) node.className = look;
  if (text) node.textContent = text;
  if (title) node.title = title;
  return node;
}

function drawn(entry, open) {
  const button = made("button", `w-entry w-${entry.look}`);
  button.type = "button";
  button.dataset.entry = entry.id;
  if (entry.opened) button.setAttribute("aria-current", "true");
  button.append(made("span", "w-when", entry.when), made("span", "w-title", entry.title));
  if (entry.place) button.append(made("span", "w-place", entry.place));
  button.addEventListener("click", () => open({ kind: entry.kind, id: entry.id }));
  return button;
}

export default function (component) {
  const { data, parentElement, setTriggerValue } = component;
  let root = parentElement.querySelector(".w-week");
  if (!root) {
    root = made("div", "w-week");
    parentElement.appendChild(root);
  }
  const held = root.contains(document.activeElement) ? document.activeElement.dataset.entry : null;
  const open = (value) => setTriggerValue("open", value);
  root.replaceChildren(...JSON.parse(data).map((day) => {
    const box = made("section", `w-day${day.today ? " w-today" : ""}${day.entries.length ? "" : " w-free"}`);
    const head = made("h3", "w-head");
    head.append(made("span", "w-name", day.name), made("span", "w-date", day.date));
    box.append(head, ...day.entries.map((entry) => drawn(entry, open)));
    return box;
  }));
  if (held) root.querySelector(`[data-entry="${CSS.escape(held)}"]`)?.focus();
}
