// What is offered where a person types "/" in the letter: saved replies and sources, by name.
const MOST_OFFERED = 8;
let menus = 0;

function asked(text) {
  const before = text.value.slice(0, text.selectionStart);
  const at = before.lastIndexOf("/");
  const words = before.slice(at + 1);
  const begins = at === 0 || /\s/.test(before[at - 1] ?? "");
  const asks = at >= 0 && begins && words.length <= 40 && !words.includes("\n")
    && !words.startsWith(" ") && text.selectionStart === text.selectionEnd;
  return asks ? { at, words: words.toLowerCase() } : null;
}

function matching(offers, words) {
  const parts = words.split(" ").filter(Boolean);
  return offers.filter((one) => {
    const said = `${one.label} ${one.text}`.toLowerCase();
    return parts.every((part) => said.includes(part));
  }).slice(0, MOST_OFFERED);
}

function under(own, at) {
  const walker = document.createTreeWalker(own.behind, NodeFilter.SHOW_TEXT);
  let left = at;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (left < node.length) {
      const range = document.createRange();
      range.setStart(node, left);
      range.setEnd(node, left + 1);
      const box = range.getBoundingClientRect();
      const sheet = own.sheet.getBoundingClientRect();
      return box.bottom - sheet.top + 4;
    }
    left -= node.length;
  }
  return own.sheet.offsetHeight;
}

function closeMenu(own) {
  own.menu?.remove();
  own.menu = null;
  own.text.removeAttribute("aria-activedescendant");
}

function choose(own, number) {
  const rows = [...own.menu.children];
  own.chosen = (number + rows.length) % rows.length;
  rows.forEach((row, at) => row.setAttribute("aria-selected", String(at === own.chosen)));
  own.text.setAttribute("aria-activedescendant", rows[own.chosen].id);
  rows[own.chosen].scrollIntoView({ block: "nearest" });
}

function insert(own, offer) {
  const place = asked(own.text);
  if (!place) return closeMenu(own);
  own.text.setRangeText(offer.text, place.at, own.text.selectionStart, "end");
  closeMenu(own);
  own.text.focus();
  own.text.dispatchEvent(new Event("input", { bubbles: true }));
}

function offer(own) {
  const place = asked(own.text);
  const found = place && !own.refused ? matching(own.offers ?? [], place.words) : [];
  if (!place) own.refused = false;
  closeMenu(own);
  if (!found.length) return;
  own.menu = document.createElement("ul");
  own.menu.className = "l-offers";
  own.menu.id = `l-offers-${(menus += 1)}`;
  own.menu.setAttribute("role", "listbox");
  own.menu.setAttribute("aria-label", "Saved replies and sources");
  found.forEach((one, at) => {
    const row = document.createElement("li");
    row.id = `${own.menu.id}-${at}`;
    row.setAttribute("role", "option");
    for (const [look, words] of [["l-offer-kind", one.kind], ["l-offer-label", one.label],
      ["l-offer-text", one.text]]) {
      const piece = document.createElement("span");
      piece.className = look;
      piece.textContent = words;
      row.append(piece);
    }
    row.addEventListener("mousedown", (event) => {
      event.preventDefault(); // the field keeps its place
      insert(own, one);
    });
    own.menu.append(row);
  });
  own.found = found;
  own.menu.style.top = `${under(own, place.at)}px`;
  own.sheet.append(own.menu);
  own.text.setAttribute("aria-controls", own.menu.id);
  choose(own, 0);
}

// Returns whether the key was for the menu.
function keyedInMenu(own, event) {
  if (!own.menu) return false;
  const steps = { ArrowDown: 1, ArrowUp: -1 };
  if (event.key in steps) choose(own, own.chosen + steps[event.key]);
  else if ((event.key === "Enter" && !event.ctrlKey && !event.metaKey) || event.key === "Tab") {
    insert(own, own.found[own.chosen]);
  } else if (event.key === "Escape") {
    own.refused = true;
    closeMenu(own);
  } else return false;
  event.preventDefault();
  event.stopPropagation();
  return true;
}
