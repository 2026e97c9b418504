// Shows the beginning of another item when it is opened, and marks and shows its line in the
// list, which need not be drawn again for that; never moves the page otherwise.
let last = null;

function mark(opened) {
  let line = null;
  for (const one of document.querySelectorAll(".a-line")) {
    if (one.dataset.line === opened) (line = one).setAttribute("aria-current", "true");
    else one.removeAttribute("aria-current");
  }
  return line;
}

function showLine(opened) {
  const line = mark(opened);
  const list = line?.closest('[class*="st-key-side-"]');
  if (!list) return;
  const at = line.getBoundingClientRect();
  const seen = list.getBoundingClientRect();
  if (at.top < seen.top) list.scrollTop -= seen.top - at.top;
  else if (at.bottom > seen.bottom) list.scrollTop += at.bottom - seen.bottom;
}

function showBeginning(opened, later) {
  if (matchMedia("(max-width: 899px)").matches) { // on a phone the list is above it
    if (later < 500) document.querySelector('[class*="st-key-subject-"]')?.scrollIntoView();
  } else {
    showLine(opened);
  }
}

export default function (component) {
  const { opened, chosen } = JSON.parse(component.data);
  if (last !== opened) mark(opened);
  if (chosen || (last !== null && last !== opened)) {
    document.querySelector('[data-testid="stMain"]')?.scrollTo({ top: 0 });
    for (const later of [0, 100, 400, 1000]) { // what is above it may come after it
      setTimeout(() => last === opened && showBeginning(opened, later), later);
    }
  }
  last = opened;
}
