// Draws what was said in a chat. People's words are text; an agent's are HTML that `ui/agents/markdown.py` made, without links.
function made(tag, look, text, title) {
  const node = document.createElement(tag);
  if (look) node.className = look;
  if (text) node.textContent = text;
  if (title) node.title = title;
  return node;
}

function pressed(look, text, label, act, on) {
  const button = made("button", look, text);
  button.type = "button";
  if (label) button.setAttribute("aria-label", label);
  if (on !== undefined) button.setAttribute("aria-pressed", String(on));
  button.addEventListener("click", act);
  return button;
}

function sources(entry, send) {
  const list = made("div", "t-sources");
  for (const source of entry.sources) {
    const label = `[${source.number}] ${source.title}`;
    list.append(source.page ? link("t-source t-opens", label, source, send) : made("span", "t-source", label));
  }
  return list;
}

// A way to a page: the engine made its address of what a tool gave, nobody wrote it.
function link(look, label, source, send) {
  const way = made("a", look, label);
  way.href = source.page;
  way.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    send("open", { kind: source.kind, id: source.id, on: source.on });
  });
  return way;
}

// The numbers of an answer's sources lead where the sources below it lead.
function numbered(body, known, send) {
  const walker = document.createTreeWalker(body, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walker.nextNode()) if (!walker.currentNode.parentElement.closest("code")) texts.push(walker.currentNode);
  for (const text of texts) {
    const pieces = text.data.split(/(\[\d{1,3}\])/);
    if (pieces.length === 1) continue;
    text.replaceWith(...pieces.map((piece) => {
      const source = known.find((one) => one.page && piece === `[${one.number}]`);
      if (!source) return piece;
      const way = link("t-number", piece, source, send);
      way.setAttribute("aria-label", `${source.number}: ${source.title}`);
      way.title = source.title;
      return way;
    }));
  }
}

// Words that no source holds are underlined, each where it first stands in one piece of text.
function doubted(body, unheld) {
  for (const words of unheld) {
    const walker = document.createTreeWalker(body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const place = walker.currentNode.data.toLowerCase().indexOf(words.toLowerCase());
      if (place < 0 || walker.currentNode.parentElement.closest(".t-doubt, code")) continue;
      const rest = walker.currentNode.splitText(place);
      rest.splitText(words.length);
      rest.replaceWith(made("span", "t-doubt", rest.data, "No source that the agent saw says this"));
      break;
    }
  }
}

// What was counted as bars, beside the list that the answer says; a name may be a stranger's word, so it is text.
function chart(bars, more) {
  const most = Math.max(...bars.map((bar) => Math.abs(bar.figure)), 0) || 1;
  const box = made("div", "t-chart");
  box.setAttribute("role", "img");
  box.setAttribute("aria-label", `Bar chart: ${bars.map((bar) => `${bar.name} ${bar.figure}`).join(", ")}`);
  for (const bar of bars) {
    const line = made("span", "t-bar");
    line.style.width = `${(100 * Math.abs(bar.figure)) / most}%`;
    const track = made("span", "t-track");
    track.append(line);
    box.append(made("span", "t-bar-name", bar.name, bar.name), track, made("span", "t-bar-figure", bar.figure.toLocaleString("en")));
  }
  if (more) box.append(made("span", "t-bar-rest", `The first ${bars.length} are drawn.`));
  return box;
}

// What an agent did for its answer unfolds; what was open stays open when the chat is drawn again.
function work(did, open) {
  const fold = made("details", "t-did");
  fold.open = open;
  fold.append(made("summary", "", did.head));
  const list = made("ul", "");
  list.append(...did.lines.map((line) => made("li", "", line)));
  fold.append(list);
  return fold;
}

function rating(entry, send) {
  const row = made("div", "t-rating");
  for (const [helpful, sign, label] of [[true, "thumb_up", "Helpful"], [false, "thumb_down", "Not helpful"]]) {
    const on = entry.helpful === helpful;
    row.append(pressed("t-rate", sign, label, () => send("rate", { id: entry.id, helpful: on ? null : helpful }), on));
  }
  return row;
}

// What was stored at the person's word, with a way back for as long as it is there; one press is enough.
function stored(entry, send) {
  const row = made("div", "t-stored");
  for (const line of entry.stored.lines) row.append(made("span", "", line));
  if (entry.stored.there) {
    const undo = pressed("t-again", "Undo", "", () => {
      undo.disabled = true;
      setTimeout(() => (undo.disabled = false), 5000); // it is gone by then, unless the engine was
      send("undo", entry.turn);
    });
    row.append(undo);
  }
  return row;
}

function askAgain(turn, send) {
  return pressed("t-again", "Ask again", "", () => send("again", turn));
}

function failure(one, send) {
  const box = made("article", "t-message t-agent t-failed");
  const head = made("header", "t-head");
  head.append(made("b", "t-who", one.who), made("span", "", "did not answer"));
  box.append(head, made("div", "t-said t-plain", one.text));
  if (one.turn) box.append(askAgain(one.turn, send));
  return box;
}

// An agent's picture stands in its address, which the engine has checked; without one, its letter on its colour.
function face(look) {
  if (look.picture) {
    const picture = made("img", "face");
    picture.src = look.picture;
    picture.alt = "";
    return picture;
  }
  const letter = made("span", "face", look.letter);
  letter.setAttribute("aria-hidden", "true");
  letter.style.background = look.colour;
  letter.style.color = look.ink;
  return letter;
}

function drawn(entry, faces, unfolded, send) {
  const box = made("article", `t-message ${entry.agent ? "t-agent" : entry.mine ? "t-mine" : "t-other"}`);
  box.dataset.message = entry.id;
  const head = made("header", "t-head");
  if (faces[entry.face]) head.append(face(faces[entry.face]));
  head.append(made("b", "t-who", entry.who), made("time", "", entry.when, entry.exact));
  box.append(head);
  if (entry.html) {
    const body = made("div", "t-said");
    body.innerHTML = entry.html;
    doubted(body, entry.unheld);
    numbered(body, entry.sources, send);
    box.append(body);
  } else {
    box.append(made("div", "t-said t-plain", entry.text));
  }
  if (entry.bars.length) box.append(chart(entry.bars, entry.moreBars));
  if (entry.sources.length) box.append(sources(entry, send));
  if (entry.stored) box.append(stored(entry, send));
  if (entry.did) box.append(work(entry.did, unfolded.has(entry.id)));
  if (entry.again) box.append(askAgain(entry.again, send));
  if (entry.agent) box.append(rating(entry, send));
  return box;
}

// Puts nodes into the root and moves none that stands where it should: what is selected or focused in it stays so.
function placed(root, nodes) {
  const stays = new Set(nodes);
  for (const node of [...root.childNodes]) if (!stays.has(node)) node.remove();
  nodes.forEach((node, at) => {
    if (root.childNodes[at] !== node) root.insertBefore(node, root.childNodes[at] ?? null);
  });
}

const NEAR = 32; // so many pixels above its end count as the end where the reader moves down to it
const GOES_ON = 1000; // milliseconds in which what is read goes on moving after the reader moved it

// Who reads at the end stays there while something comes; who has moved up keeps what they read where it is, also while
// what is below it is shorter for a moment. `settle` follows each change of the page. A scroll event alone does not tell
// that it was the reader: while a page is drawn and measures itself, what is read is pushed up for less than a picture.
// So only what the reader does counts, and what no layout does: a way down, and a far one up as the browser's search goes.
function follow(root, talk) {
  let [atEnd, top, room] = [true, 0, 0]; // `room`: pixels put below the end, to stay at a place that is not there now
  let [acted, holds] = [-GOES_ON, false]; // when the reader last moved it up, and whether a pointer is down on it
  let mark = null; // the message at the upper edge, and how far below that edge it begins
  const way = pressed("t-end", "arrow_downward", "To the end of the chat", () => {
    root.focus({ preventScroll: true }); // the button goes
    toEnd();
  });
  const below = (node) => node.getBoundingClientRect().top - talk.getBoundingClientRect().top;
  const left = () => talk.scrollHeight - room - talk.clientHeight - talk.scrollTop;
  const marked = () => {
    const nodes = [...root.drawn.values()].map(([, node]) => node);
    const node = nodes.findLast((one) => below(one) <= 0) ?? nodes[0];
    mark = node && { id: node.dataset.message, at: below(node) };
  };
  const settle = (byReader) => {
    if (!root.isConnected) return stop(); // another chat is open, in which nothing was said yet
    const place = talk.scrollTop;
    const moved = byReader || place > top ? place - top : 0; // what gets shorter moves nobody down
    if (moved) atEnd = moved > 0 ? atEnd || left() < NEAR : atEnd && left() < 1; // no way down leaves the end
    if (moved > 0 && atEnd) acted = -GOES_ON;
    const node = mark && root.drawn.get(mark.id)?.[1];
    const to = node ? place + below(node) - mark.at + moved : top + moved;
    const missing = atEnd ? 0 : Math.max(0, Math.ceil(to + talk.clientHeight - talk.scrollHeight + room));
    if (missing !== room) talk.style.paddingBottom = (room = missing) ? `${room}px` : "";
    if (atEnd) talk.scrollTop = talk.scrollHeight;
    else if (Math.abs(to - place) >= 1) talk.scrollTop = to;
    top = talk.scrollTop;
    if (atEnd || moved || !node) marked();
    way.hidden = atEnd;
  };
  const toEnd = () => {
    [atEnd, acted] = [true, -GOES_ON];
    settle(false);
  };
  const scrolled = () => {
    const far = top - talk.scrollTop > 0.45 * talk.clientHeight;
    const byReader = holds || far || performance.now() - acted < GOES_ON;
    if (byReader && talk.scrollTop !== top) acted = performance.now();
    settle(byReader);
  };
  const acts = (event) => {
    const typed = event.type === "keydown" && event.key !== "Tab" && event.target.closest?.("input, textarea");
    if (typed || event.ctrlKey) return;
    // The wheel is heard before what it moves: words that come now do not hold it back.
    if (event.deltaY < 0 ? talk.scrollTop > 0 : event.deltaY > 0 && left() < NEAR) way.hidden = atEnd = event.deltaY > 0;
    if (!(event.deltaY > 0)) acted = performance.now(); // a way down is told by the place alone
  };
  const holding = (event) => {
    if (event.type !== "pointermove") holds = event.type === "pointerdown" && talk.contains(event.target);
    else if (!event.buttons) holds = false; // what was let go of on a scrollbar is told by nothing else
  };
  const sizes = new ResizeObserver(() => settle(false));
  const watch = () => [talk, ...talk.children].forEach((part) => sizes.observe(part, { box: "border-box" }));
  const changes = new MutationObserver((records) => {
    if (records.some((one) => one.target === talk)) watch();
    settle(false);
  });
  watch();
  changes.observe(talk, { attributes: true, childList: true, subtree: true, characterData: true });
  const ends = new AbortController();
  const on = (place, kinds, act) => {
    for (const kind of kinds) place.addEventListener(kind, act, { capture: true, passive: true, signal: ends.signal });
  };
  on(talk, ["scroll"], scrolled);
  on(talk, ["wheel", "touchmove"], acts);
  on(document, ["keydown"], acts);
  on(document, ["pointerdown", "pointermove", "pointerup", "pointercancel"], holding);
  talk.parentElement.append(way);
  const stop = () => {
    ends.abort();
    sizes.disconnect();
    changes.disconnect();
    talk.style.paddingBottom = "";
    way.remove();
  };
  return { stop, toEnd };
}

// What leaves the field stands below at once, pale, until the page is drawn with it or, where it was refused, without it.
function sending(event) {
  const field = document.querySelector('[data-testid="stChatInputTextArea"]');
  const sends = event.type === "click" ? event.target.closest?.('[data-testid="stChatInput"]') : event.key === "Enter" && event.target === field;
  const words = field?.value.trim();
  if (!sends || !words) return;
  setTimeout(() => {
    if (field.value.trim()) return;
    const box = made("article", "t-message t-mine t-sending");
    box.setAttribute("aria-hidden", "true");
    const head = made("header", "t-head");
    head.append(made("span", "", "sending …"));
    box.append(head, made("div", "t-said t-plain", words));
    document.querySelector(".t-all")?.append(box);
    document.querySelector(".st-key-talk")?.reader?.toEnd();
  });
}

export default function (component) {
  const { data, parentElement, setTriggerValue } = component;
  let root = parentElement.querySelector(".t-all");
  if (!root) {
    root = made("div", "t-all");
    root.tabIndex = -1;
    root.setAttribute("role", "log");
    root.setAttribute("aria-label", "What was said");
    root.drawn = new Map();
    root.ended = new Set();
    parentElement.appendChild(root);
    const talk = root.closest(".st-key-talk");
    talk.reader?.stop();
    talk.reader = follow(root, talk);
  }
  const { entries, earlier, ended, faces } = JSON.parse(data);
  root.send = setTriggerValue; // what stays on the page tells by this drawing's way
  const send = (name, value) => root.send(name, value);
  const nodes = [];
  if (earlier) nodes.push(pressed("t-earlier", `Show earlier messages (${earlier})`, "", () => send("earlier", entries.length)));
  const unfolded = new Set([...root.querySelectorAll(".t-did[open]")].map((fold) => fold.closest("article").dataset.message));
  const before = root.drawn;
  root.drawn = new Map();
  let session = 0;
  for (const entry of entries) {
    if (session && entry.session !== session) nodes.push(made("div", "t-pause", entry.since));
    session = entry.session;
    const look = JSON.stringify([entry, faces[entry.face]]);
    const [lookBefore, node] = before.get(entry.id) ?? [];
    root.drawn.set(entry.id, [look, look === lookBefore ? node : drawn(entry, faces, unfolded, send)]);
    nodes.push(root.drawn.get(entry.id)[1], ...entry.failures.map((one) => failure(one, send)));
  }
  // The words of turns that have ended go as what came of them is drawn, neither before nor after it.
  ended.forEach((turn) => root.ended.add(turn));
  nodes.push(made("style", "", [...root.ended].map((turn) => `.st-key-live > :has(> .st-key-turn-${turn}) { display: none; }
    .st-key-talk > :has(> .st-key-live > :only-child > .st-key-turn-${turn}) { position: absolute; }`).join("\n")));
  placed(root, nodes);
  document.addEventListener("keydown", sending, true);
  document.addEventListener("click", sending, true);
  return () => {
    document.removeEventListener("keydown", sending, true);
    document.removeEventListener("click", sending, true);
  };
}
