// One step back for each step: an address that is only passed through is no place to go back to.
// Streamlit leaves a page by its address without parameters, and a page that opens names what it
// shows a moment after. Where nobody pressed anything in between, nobody was there.
let pressed = false;
let wrapped = false;

function wrap() {
  if (wrapped) return;
  wrapped = true;
  const push = history.pushState.bind(history);
  history.pushState = (state, title, url) => {
    const passing = !location.search && !pressed;
    pressed = false;
    if (passing) history.replaceState(state, title, url);
    else push(state, title, url);
  };
  window.addEventListener("popstate", () => { pressed = false; });
  for (const kind of ["pointerdown", "click", "keydown"]) {
    window.addEventListener(kind, () => { pressed = true; }, true);
  }
}

export default function () {
  wrap();
}
