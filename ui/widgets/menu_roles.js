// The menu of a narrow window is Streamlit's: a list whose sections are no items of it. A screen
// reader is told of the links alone, in their landmark, instead of lists that contradict themselves.
const PARTS = '[data-testid="stSidebarNavItems"], [data-testid="stSidebarNavItems"] li';

function mend() {
  for (const part of document.querySelectorAll(PARTS)) {
    if (part.getAttribute("role") !== "none") part.setAttribute("role", "none");
  }
}

export default function () {
  const seen = new MutationObserver(mend);
  seen.observe(document.body, { childList: true, subtree: true });
  mend();
  return () => seen.disconnect();
}
