// Brings the page back to its top when another item is opened, and never otherwise.
let last = null;

export default function (component) {
  const opened = component.data;
  if (last !== null && last !== opened) {
    document.querySelector('[data-testid="stMain"]')?.scrollTo({ top: 0 });
  }
  last = opened;
}
