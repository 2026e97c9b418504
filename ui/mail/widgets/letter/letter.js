// The reply as it is written: a field for its text, and behind it the same words, which bear the
// marks of the check and the sentences that rest on a source. What is typed is told after a pause,
// when the field is left, and with Ctrl+Enter; until it has been checked, nothing can be approved.
const PAUSE = 900;
const FIELDS = new Set(["INPUT", "TEXTAREA", "SELECT"]);
const KINDS = new Set(["block", "hold", "info", "cited"]);
const typed = new Map(); // by case, so that a field that is drawn anew loses no letter
let current = null;

function made(tag, look, label) {
  const node = document.createElement(tag);
  node.className = look;
  if (label) node.setAttribute("aria-label", label);
  return node;
}

function moved(marks, before, after) {
  let same = 0;
  while (same < before.length && same < after.length && before[same] === after[same]) same += 1;
  let end = 0;
  while (end < before.length - same && end < after.length - same
    && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  const by = after.length - before.length;
  return marks.flatMap((mark) => {
    if (mark.end <= same) return [mark];
    if (mark.start >= before.length - end) {
      return [{ ...mark, start: mark.start + by, end: mark.end + by }];
    }
    return [];
  });
}

function paint(own) {
  const { text, behind, marks, lit } = own;
  const body = text.value;
  const cuts = [...new Set([0, body.length, ...marks.flatMap((mark) => [mark.start, mark.end])])]
    .filter((at) => at >= 0 && at <= body.length).sort((a, b) => a - b);
  const pieces = [];
  for (let at = 0; at + 1 < cuts.length; at += 1) {
    const over = marks.filter((mark) => mark.start <= cuts[at] && cuts[at + 1] <= mark.end);
    const looks = over.map((mark) => mark.kind).filter((kind) => KINDS.has(kind));
    if (over.some((mark) => mark.number && mark.number === lit)) looks.push("lit");
    const span = made("span", looks.map((kind) => `l-${kind}`).join(" "));
    span.textContent = body.slice(cuts[at], cuts[at + 1]);
    for (const mark of over) if (mark.end === cuts[at + 1]) (mark.last = span);
    pieces.push(span);
  }
  behind.replaceChildren(...pieces, document.createTextNode("\n"));
  place(own);
}

function place(own) {
  const { sheet, gutter, marks } = own;
  const top = sheet.getBoundingClientRect().top;
  const rows = new Map();
  const links = [];
  for (const mark of marks) {
    if (!mark.number || !mark.last?.isConnected) continue;
    const boxes = mark.last.getClientRects();
    const box = boxes[boxes.length - 1];
    if (!box) continue;
    const row = Math.round(box.top - top);
    const before = rows.get(row) ?? 0;
    rows.set(row, before + 1);
    const link = made("button", "l-cite", `Source ${mark.number}: ${mark.note}`);
    link.type = "button";
    link.textContent = mark.number;
    link.title = mark.note;
    link.style.top = `${row + 2}px`;
    link.style.right = `${before * 1.35}rem`;
    link.addEventListener("click", () => lead(own, mark));
    links.push(link);
  }
  gutter.replaceChildren(...links);
}

function lead(own, mark) {
  own.lit = own.lit === mark.number ? 0 : mark.number;
  paint(own);
  document.querySelector('.st-key-evidence [role="tab"]')?.click(); // the first one: sources
  setTimeout(() => {
    const place = document.querySelector(`.st-key-${CSS.escape(mark.to)}`);
    if (!place) return;
    place.scrollIntoView({ block: "nearest" });
    place.classList.remove("led-to");
    void place.offsetWidth; // so that the same place is shown again
    place.classList.add("led-to");
  }, 60);
}

// A subject is signed as the rest of the letter is, so a long one is seen to its end.
function fit(field) {
  field.style.height = "auto";
  field.style.height = `${field.scrollHeight + field.offsetHeight - field.clientHeight}px`;
}

function written(own) {
  const subject = own.subject.value.replace(/\s*\n\s*/g, " "); // pasted; a header has one line
  return { subject, body: own.text.value };
}

function unchecked(is) {
  document.documentElement.classList.toggle("letter-unchecked", is);
}

function tell(own, event) {
  clearTimeout(own.pausing);
  const now = written(own);
  const same = now.subject === own.told.subject && now.body === own.told.body;
  if (same && event === "typed") return;
  own.told = now;
  own.set(event, now);
}

function changed(own) {
  typed.set(own.case, { stamp: own.stamp, ...written(own) });
  unchecked(own.told.body !== own.text.value || own.told.subject !== own.subject.value);
  own.marks = moved(own.marks, own.before, own.text.value);
  own.before = own.text.value;
  paint(own);
  clearTimeout(own.pausing);
  own.pausing = setTimeout(() => tellTyped(own), PAUSE);
}

// While something is offered nothing is told: the page drawn anew would close the offer.
function tellTyped(own) {
  if (own.menu) own.pausing = setTimeout(() => tellTyped(own), PAUSE);
  else tell(own, "typed");
}

function keyed(event) {
  const at = event.target;
  if (event.key !== "e" || event.ctrlKey || event.metaKey || event.altKey) return;
  if (at && (FIELDS.has(at.tagName) || at.isContentEditable)) return;
  if (!current?.text.isConnected || document.querySelector('[role="dialog"]')) return;
  event.preventDefault();
  event.stopPropagation();
  current.text.focus();
}

function pressed(event) {
  if (event.target.closest?.(".st-key-panel-edit button")) current?.text.focus();
}

function build(parent) {
  const own = { root: made("div", "l-letter"), marks: [], lit: 0, before: "", pausing: 0 };
  own.subject = made("textarea", "l-subject", "Subject");
  own.subject.rows = 1;
  own.subject.maxLength = 400;
  own.sheet = made("div", "l-sheet");
  own.behind = made("div", "l-behind");
  own.behind.setAttribute("aria-hidden", "true");
  own.text = made("textarea", "l-text", "Text of the reply");
  own.text.spellcheck = true;
  own.text.placeholder = "Write the reply; / offers saved replies. Ctrl+Enter sends it.";
  own.text.setAttribute("aria-autocomplete", "list");
  own.text.setAttribute("aria-haspopup", "listbox");
  own.gutter = made("div", "l-gutter");
  own.sheet.append(own.behind, own.text, own.gutter);
  own.root.append(own.subject, own.sheet);
  for (const field of [own.subject, own.text]) {
    field.addEventListener("input", () => changed(own));
    field.addEventListener("blur", () => tell(own, "typed"));
    field.addEventListener("keydown", (event) => {
      if (field === own.text && keyedInMenu(own, event)) return;
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        event.stopPropagation(); // a note that is open beside it has the same key
        tell(own, "send");
      } else if (event.key === "Enter" && field === own.subject) {
        event.preventDefault(); // it has one line
      } else if (event.key === "Escape") {
        event.stopPropagation(); // the innermost thing: the field; a panel stays
        field.blur();
      }
    });
  }
  own.text.addEventListener("input", () => offer(own));
  own.text.addEventListener("blur", () => closeMenu(own));
  own.subject.addEventListener("input", () => fit(own.subject));
  new ResizeObserver(() => {
    fit(own.subject);
    place(own);
  }).observe(own.sheet);
  parent.appendChild(own.root);
  own.root.own = own;
  return own;
}

export default function (component) {
  const { data, parentElement, setTriggerValue } = component;
  const given = JSON.parse(data);
  const kept = parentElement.querySelector(".l-letter")?.own;
  const own = kept ?? build(parentElement);
  own.set = setTriggerValue;
  own.offers = given.offers;
  if (!kept || own.stamp !== given.stamp || own.case !== given.case) {
    const mine = typed.get(given.case);
    const text = mine?.stamp === given.stamp ? mine : given;
    own.case = given.case;
    own.stamp = given.stamp;
    own.subject.value = text.subject;
    own.text.value = text.body;
    own.told = { subject: given.subject, body: given.body };
    own.marks = [];
    own.lit = 0;
    if (text !== given) tell(own, "typed");
  }
  const now = written(own);
  if (now.body === given.body) own.marks = given.marks;
  own.before = now.body;
  paint(own);
  fit(own.subject);
  unchecked(now.body !== given.body || now.subject !== given.subject);
  if (given.focus && own.focused !== given.focus) own.text.focus();
  own.focused = given.focus;
  current = own;
  document.addEventListener("keydown", keyed, true);
  document.addEventListener("click", pressed, true);
  return () => {
    if (current === own && !own.root.isConnected) {
      document.removeEventListener("keydown", keyed, true);
      document.removeEventListener("click", pressed, true);
      unchecked(false);
    }
  };
}
