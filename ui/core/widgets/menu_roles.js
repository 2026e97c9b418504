// The menu of a narrow window is Streamlit's: a list whose sections are no items of it. A screen
// reader is told of the links alone, in their landmark, instead of lists that contradict themselves.
const PARTS = '[data-testid="stSidebarNavItems"], [data-testid="stSidebarNavItems"] li';

let seen = null;

function mend() {
  for (const part of document.querySelectorAll(PARTS)) {
    if (part.getAttribute("role") !== "none") part.setAttribute("role", "none");
  }
}

export default function () {
  seen?.disconnect(); // the page may ask again without having taken the first one away
  seen = new MutationObserver(mend);
  seen.observe(document.body, { childList: true, subtree: true });
  mend();
  return () => seen.disconnect();
}
