// On low screens, as at 200 % zoom, the workspace fills the screen and what stands above it is one scroll away.

const LOW = "(max-height: 30rem)";

/** Shows the whole workspace, at its start and whenever the focus comes back into it. @param {HTMLElement} root */
export function fillLowScreens(root) {
  const low = window.matchMedia(LOW);
  const show = () => low.matches && root.scrollIntoView({ block: "start" });
  low.addEventListener("change", show);
  root.addEventListener("focusin", show);
  show();
}
