// Shows the beginning of another item when it is opened, and never moves the page otherwise.
let last = null;

export default function (component) {
  const opened = component.data;
  if (last !== null && last !== opened) {
    const beneath = matchMedia("(max-width: 899px)").matches; // on a phone the list is above it
    if (beneath) document.querySelector('[class*="st-key-subject-"]')?.scrollIntoView();
    else document.querySelector('[data-testid="stMain"]')?.scrollTo({ top: 0 });
  }
  last = opened;
}
