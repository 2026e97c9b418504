// Counts down by itself, so that the engine and the page are left alone meanwhile; the page is
// asked to draw the bar anew when the time is over.

// Who does not see the bar hears once what was done. The region stays on the page: one that comes
// together with its words is not read out.
function tellAloud(text) {
  let region = document.querySelector("body > .told-aloud");
  if (!region) {
    region = document.createElement("div");
    region.className = "told-aloud unseen";
    region.setAttribute("role", "status");
    document.body.appendChild(region);
  }
  setTimeout(() => (region.textContent = text), 100);
}

export default function (component) {
  const { data, parentElement, setTriggerValue } = component;
  const { text, ending, left } = JSON.parse(data);
  let root = parentElement.querySelector(".undo-words");
  if (!root) {
    root = document.createElement("div");
    root.className = "undo-words";
    parentElement.appendChild(root);
  }
  root.stop?.(); // another offer in this place: the one before must say nothing any more
  const end = performance.now() + left * 1000;
  const draw = () => {
    const seconds = Math.max(0, Math.ceil((end - performance.now()) / 1000));
    root.textContent = ending ? `${text} ${ending.replace("{}", seconds)}` : text;
  };
  draw();
  if (root.text !== data) tellAloud(`${text} U takes it back.`);
  root.text = data;
  const ticking = setInterval(draw, 250);
  const over = setTimeout(() => setTriggerValue("over", true), left * 1000 + 300);
  const stop = () => {
    clearInterval(ticking);
    clearTimeout(over);
  };
  root.stop = stop;
  return stop;
}
