// Swagger UI has a dark look of its own, chosen by a class: it follows the system as the rest of the site does.
const dark = window.matchMedia("(prefers-color-scheme: dark)");
const follow = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", follow);
follow();
