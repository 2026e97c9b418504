// One step back for each step: an address that is only passed through is no place to go back to.
// Streamlit leaves a page by its address without parameters, and a page that opens names what it
// shows a moment after; a step is taken to be passed through while it is that young.
const YOUNG = 4000; // milliseconds
let arrived = performance.now();
let wrapped = false;

function wrap() {
  if (wrapped) return;
  wrapped = true;
  const push = history.pushState.bind(history);
  history.pushState = (state, title, url) => {
    const passing = !location.search && performance.now() - arrived < YOUNG;
    arrived = performance.now();
    if (passing) history.replaceState(state, title, url);
    else push(state, title, url);
  };
  window.addEventListener("popstate", () => { arrived = performance.now(); });
}

export default function () {
  wrap();
}
