// Before the first paint: a page that turns dark a moment later would flash.
(() => {
  const kept = localStorage.getItem("mantine-color-scheme-value");
  const isDark = kept === "dark" || (kept !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.setAttribute("data-mantine-color-scheme", isDark ? "dark" : "light");
})();
