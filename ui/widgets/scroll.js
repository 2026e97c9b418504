// Shows the beginning of another item when it is opened, and its line in the list; never moves
// the page otherwise.
let last = null;

function showLine() {
  const line = document.querySelector('[class*="st-key-open-now-"]');
  const list = line?.closest('[class*="st-key-side-"]');
  if (!list) return;
  const at = line.getBoundingClientRect();
  const seen = list.getBoundingClientRect();
  if (at.top < seen.top) list.scrollTop -= seen.top - at.top;
  else if (at.bottom > seen.bottom) list.scrollTop += at.bottom - seen.bottom;
}

export default function (component) {
  const opened = component.data;
  if (last !== null && last !== opened) {
    const beneath = matchMedia("(max-width: 899px)").matches; // on a phone the list is above it
    if (beneath) {
      document.querySelector('[class*="st-key-subject-"]')?.scrollIntoView();
    } else {
      document.querySelector('[data-testid="stMain"]')?.scrollTo({ top: 0 });
      for (const later of [100, 400, 1000]) setTimeout(showLine, later); // lines may come after it
    }
  }
  last = opened;
}
