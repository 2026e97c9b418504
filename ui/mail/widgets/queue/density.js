// Switches every list between comfortable and compact lines; this browser remembers which.
const KEPT = "postern-density";

function compact() {
  try {
    return localStorage.getItem(KEPT) === "compact";
  } catch {
    return document.documentElement.classList.contains("compact"); // nothing may be kept here
  }
}

function show(is, button) {
  document.documentElement.classList.toggle("compact", is);
  button.setAttribute("aria-pressed", String(is));
  button.textContent = is ? "Comfortable" : "Compact";
}

export default function (component) {
  const { parentElement } = component;
  let button = parentElement.querySelector("button");
  if (!button) {
    button = document.createElement("button");
    button.type = "button";
    button.className = "density";
    button.title = "How much room the lines of lists take";
    button.addEventListener("click", () => {
      const is = !document.documentElement.classList.contains("compact");
      try {
        localStorage.setItem(KEPT, is ? "compact" : "comfortable");
      } catch {
        // it holds until the page is left
      }
      show(is, button);
    });
    parentElement.appendChild(button);
  }
  show(compact(), button);
}
