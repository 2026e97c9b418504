// Opens the sheet of keys when ? is pressed outside of fields: buttons cannot have that key.
const FIELDS = new Set(["INPUT", "TEXTAREA", "SELECT"]);

function pressed(event) {
  const at = event.target;
  if (event.key !== "?" || event.ctrlKey || event.metaKey || event.altKey) return;
  if (at && (FIELDS.has(at.tagName) || at.isContentEditable)) return;
  const button = document.querySelector(".st-key-key-sheet button");
  if (button && !document.querySelector('[role="dialog"]')) button.click();
}

export default function () {
  document.addEventListener("keydown", pressed);
  return () => document.removeEventListener("keydown", pressed);
}
