// A page that has gone blank is loaded anew. While the server leads to another page, a part of the
// page before may ask by its timer to be drawn again. Streamlit's browser side takes the answer for
// a step to that page and empties what is there; what comes next it cannot place, and it ends with
// nothing on the page. Its own links stop the timers before they lead somewhere (streamlit #9617).
const LOOK_MS = 1000;
const BLANK_LOOKS = 3; // a page that is drawn slowly is blank for a moment too
const APART_MS = 20000; // what is blank again at once is not mended by loading it again
const LOADED = "postern-loaded-anew";

let looking = false;
let blank = 0;

function isBlank() {
  const app = document.querySelector('[data-testid="stApp"]');
  if (!app) return true;
  const main = app.querySelector('[data-testid="stMain"]');
  return app.dataset.testScriptState === "notRunning" && !main?.innerText.trim();
}

function look() {
  blank = isBlank() ? blank + 1 : 0;
  if (blank < BLANK_LOOKS) return;
  const last = Number(sessionStorage.getItem(LOADED) ?? 0);
  if (Date.now() - last < APART_MS) return;
  sessionStorage.setItem(LOADED, String(Date.now()));
  location.reload();
}

export default function () {
  if (looking) return;
  looking = true;
  setInterval(look, LOOK_MS);
}
