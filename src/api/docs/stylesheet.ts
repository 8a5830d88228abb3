export const STYLESHEET_PATH = "/pages.css";

export const STYLESHEET = `
:root {
  color-scheme: light dark;
  --page: light-dark(#faf9f7, #141311); --surface: light-dark(#ffffff, #1c1b18);
  --sunken: light-dark(#f4f2ef, #262421); --line: light-dark(#e4e1dc, #383530);
  --text: light-dark(#1f1e1b, #efede8); --text-2: light-dark(#5f5b55, #b5b0a8);
  --accent: light-dark(#274684, #a3baee); --accent-soft: light-dark(#edf1f9, #1d2740);
  --font: "IBM Plex Sans", system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  --mono: ui-monospace, "Cascadia Mono", "SF Mono", Menlo, "DejaVu Sans Mono", monospace;
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; scroll-padding-top: 16px; }
body { margin: 0; background: var(--page); color: var(--text); font: 15px/23px var(--font); }
main { max-width: 920px; margin: 0 auto; padding: 40px 32px 56px; }
h1 { font-size: 24px; line-height: 32px; font-weight: 600; letter-spacing: -0.012em; margin: 0 0 16px; }
h2 { font-size: 18px; line-height: 26px; font-weight: 600; margin: 56px 0 12px; padding-top: 16px;
  border-top: 1px solid var(--line); }
h3 { font-size: 15px; line-height: 23px; font-weight: 600; margin: 24px 0 8px; }
p, dd { margin: 0 0 12px; max-width: 70ch; }
a { color: var(--accent); text-underline-offset: 3px; text-decoration-thickness: 1px; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
nav ul, ol.clauses { list-style: none; margin: 0; padding: 0; }
nav li { padding: 2px 0; }
code, pre { font: 13px/20px var(--mono); }
code { overflow-wrap: anywhere; }
pre { background: var(--surface); border: 1px solid var(--line); border-radius: 6px; padding: 12px 16px;
  overflow-x: auto; margin: 0 0 12px; }
.path { font: 600 16px/26px var(--mono); overflow-wrap: anywhere; }
.method { color: var(--accent); }
.muted { color: var(--text-2); }
.scroll { overflow-x: auto; border: 1px solid var(--line); border-radius: 10px; background: var(--surface);
  margin: 0 0 16px; }
table { border-collapse: collapse; width: 100%; font-size: 13px; line-height: 18px; }
th { text-align: left; font-weight: 500; font-size: 12px; line-height: 16px; color: var(--text-2); }
th, td { padding: 10px 12px; vertical-align: top; border-bottom: 1px solid var(--line); }
tr:last-child td { border-bottom: 0; }
td.nb, th.nb, td code { white-space: nowrap; }
ol.clauses li { padding: 12px 0; border-bottom: 1px solid var(--line); }
ol.clauses li:last-child { border-bottom: 0; }
ol.clauses strong { display: block; font-weight: 500; color: var(--text-2); max-width: 70ch; }
ol.clauses p { margin: 4px 0 0; }
@media (max-width: 720px) { main { padding: 24px 16px 40px; } }
@media print {
  body { background: #fff; color: #000; }
  .scroll, pre { border-radius: 0; }
  h2, h3, li, tr { break-inside: avoid; break-after: auto; }
}
`.trimStart();
