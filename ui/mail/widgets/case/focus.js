// Puts the focus where the next key is expected: into a panel that was opened, back on the button
// that opened it, and on the open line of the list when another case is opened.
const FIRST = {
  answer: '[class*="st-key-answer-"] textarea',
  reject: '[class*="st-key-reason-"] button',
  reassign: '[class*="st-key-assignee-"] input',
  relabel: '[class*="st-key-category-"] input',
  close: '[class*="st-key-close-now-"] button',
  note: ".st-key-actions textarea",
  forward: '[class*="st-key-forward-to-"] input',
  snooze: '.st-key-actions [class*="st-key-snooze-"] button',
  leave: '.st-key-actions [class*="st-key-leave-"] button',
};
const TRIES = [0, 60, 150, 400, 900, 2000, 4000, 8000]; // what is drawn below comes after this
let last = null;

function wanted(before, opened, panel) {
  if (panel) return FIRST[panel];
  if (before.opened !== opened) return ".a-line[aria-current]";
  return before.panel ? `.st-key-panel-${before.panel} button` : null;
}

function free(pressed) {
  const at = document.activeElement; // a button that steps and stays keeps the focus
  return !at || at === document.body || at === pressed || at.matches(".a-line");
}

export default function (component) {
  const { opened, panel } = JSON.parse(component.data);
  const before = last;
  last = { opened, panel };
  if (!before || (before.opened === opened && before.panel === panel)) return;
  const target = wanted(before, opened, panel);
  const mine = last;
  const pressed = before.opened === opened ? document.activeElement : null;
  if (!target) return;
  let done = false; // once it is there, where it goes next is the person's
  for (const later of TRIES) {
    setTimeout(() => {
      if (done || last !== mine || !free(pressed)) return;
      const found = document.querySelector(target);
      found?.focus({ preventScroll: !panel });
      done = !!found && found === document.activeElement;
    }, later);
  }
}
