// Counts down by itself, so that the engine and the page are left alone meanwhile; the page is
// asked to draw the bar anew when the time is over.
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
  const ticking = setInterval(draw, 250);
  const over = setTimeout(() => setTriggerValue("over", true), left * 1000 + 300);
  const stop = () => {
    clearInterval(ticking);
    clearTimeout(over);
  };
  root.stop = stop;
  return stop;
}
