// Keeps the session's id in a cookie, or takes it away: no other site sends it along.
export default function (component) {
  const { name, value, seconds } = component.data;
  const secure = location.protocol === "https:" ? "; Secure" : "";
  document.cookie = `${name}=${value}; Path=/; Max-Age=${seconds}; SameSite=Strict${secure}`;
}
