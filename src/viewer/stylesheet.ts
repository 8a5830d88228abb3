import { accentOf } from "../domain/brand/accent.ts";

export const VIEWER_STYLESHEET_PATH = "/viewer.css";

/** The stylesheet of a colour: the policy of the pages allows no style inside them. */
export function accentPath(colour: string): string {
  return `/accent/${colour.slice(1).toLowerCase()}.css`;
}

/** For sheets whose owner has a colour: title and rule. */
export function accentStyle(colour: string): string {
  return `.sheet { --brand: ${colour}; }`;
}

/** The stylesheet of a path such as `/accent/274684.css`; undefined for colours that cannot be read. */
export function accentStylesheet(file: string): string | undefined {
  const [, digits] = /^([0-9a-f]{6})\.css$/.exec(file) ?? [];
  const accent = digits === undefined ? undefined : accentOf(`#${digits}`);
  return accent?.ok && accent.value.printed === accent.value.chosen
    ? accentStyle(accent.value.printed)
    : undefined;
}

export const WEB_FONTS = {
  latin: "/fonts/ibm-plex-sans-latin.woff2",
  latinExt: "/fonts/ibm-plex-sans-latin-ext.woff2",
} as const;

const FONTS = `
@font-face { font-family: "IBM Plex Sans"; src: url("${WEB_FONTS.latin}") format("woff2");
  font-weight: 100 700; font-display: swap;
  unicode-range: U+0000-00FF, U+0131, U+0152-0153, U+02BB-02BC, U+02C6, U+02DA, U+02DC, U+2000-206F, U+20AC,
    U+2122, U+2190-2193, U+2212, U+2215; }
@font-face { font-family: "IBM Plex Sans"; src: url("${WEB_FONTS.latinExt}") format("woff2");
  font-weight: 100 700; font-display: swap;
  unicode-range: U+0100-0130, U+0132-0151, U+0154-02BA, U+1E00-1E9F, U+20A0-20AB, U+20AD-20C0; }
`;

const BASE = `
:root {
  color-scheme: light dark;
  --page: #faf9f7; --surface: #fff; --line: #e4e1dc; --button-line: #cfcac3;
  --text: #1f1e1b; --text-2: #5f5b55; --accent: #274684; --accent-hover: #1e376a; --on-accent: #fff;
  --accent-soft: #edf1f9; --accent-line: #c3d0ec; --bad: #a3231f; --bad-soft: #fbeae8; --bad-line: #e9b8b4;
  --font: "IBM Plex Sans", system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --page: #141311; --surface: #1c1b18; --line: #383530; --button-line: #57534c;
    --text: #efede8; --text-2: #b5b0a8; --accent: #a3baee; --accent-hover: #bccdf4; --on-accent: #0f1b36;
    --accent-soft: #1d2740; --accent-line: #34456e; --bad: #ff9a90; --bad-soft: #361917; --bad-line: #6b2f2b;
  }
}
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { margin: 0; background: var(--page); color: var(--text); font: 15px/22px var(--font); }
`;

const PARTS = `
* { box-sizing: border-box; }
h1, h2, h3, p, ul, dl, dd { margin: 0; padding: 0; }
small { font-size: 13px; line-height: 18px; font-weight: 400; color: var(--text-2); }
a { color: var(--accent); text-decoration-thickness: 1px; text-underline-offset: 3px; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
  white-space: nowrap; }
.soft { color: var(--text-2); font-size: 14px; line-height: 20px; }
.whole { display: inline-block; max-width: 100%; }
.notices p, .statement p, .note { text-wrap: pretty; }
`;

const AROUND = `
.bar, .documents, .notices, .sheet, footer { max-width: 840px; margin-left: auto; margin-right: auto; }
.bar { display: flex; align-items: center; gap: 12px; min-height: 20px; padding: 20px 0 16px; }
.bar p { min-width: 0; overflow-wrap: anywhere; }
.bar strong, .bar span { display: block; }
.bar strong { font-size: 16px; font-weight: 600; }
.bar span { color: var(--text-2); }
.icon { flex: none; fill: none; stroke: currentColor; stroke-width: 1.75; stroke-linecap: round;
  stroke-linejoin: round; }
.download, .pdf { display: inline-flex; align-items: center; justify-content: center; gap: 8px;
  border-radius: 6px; text-decoration: none; white-space: nowrap; }
.download { min-height: 44px; margin-left: auto; padding: 0 16px; background: var(--accent);
  color: var(--on-accent); font-weight: 600; }
.download:hover { background: var(--accent-hover); }
.documents { margin-bottom: 20px; }
.documents ul { list-style: none; border: 1px solid var(--line); border-radius: 8px;
  background: var(--surface); }
.documents li { display: grid; grid-template-columns: minmax(0, 1fr) auto auto; align-items: center;
  gap: 2px 16px; padding: 10px 16px; border-top: 1px solid var(--line); }
.documents li:first-child { border-top: 0; }
@supports (grid-template-columns: subgrid) {
  .documents ul { display: grid; grid-template-columns: minmax(0, 1fr) auto auto; column-gap: 16px; }
  .documents li { grid-column: 1 / -1; grid-template-columns: subgrid; }
}
.documents li > s, .documents .figure { text-align: right; }
.files { display: flex; flex-wrap: wrap; gap: 8px; }
.documents p > a { font-weight: 500; }
.documents p > .soft { display: block; font-size: 13px; line-height: 18px; }
.documents .soft span + span::before { content: "· "; }
.documents .gloss { display: inline-block; margin-left: 6px; }
.documents s, .figure { font-variant-numeric: tabular-nums; white-space: nowrap; }
.documents s { color: var(--text-2); }
.pdf { min-height: 36px; padding: 0 12px; border: 1px solid var(--button-line); color: var(--text);
  font-weight: 500; }
.pdf:hover { border-color: var(--text-2); }
.notices { margin-bottom: 12px; padding: 12px 16px; border: 1px solid var(--accent-line); border-radius: 8px;
  background: var(--accent-soft); }
.notices.bad { border-color: var(--bad-line); background: var(--bad-soft); color: var(--bad); }
footer { padding: 4px 0 32px; color: var(--text-2); font-size: 13px; line-height: 18px;
  text-wrap: balance; }
.bar, main, footer { width: calc(100% - 48px); }
main { max-width: 840px; margin: 0 auto; }
.embedded .bar { min-height: 0; padding: 12px 0; }
.embedded .bar:empty { display: none; }
.status { max-width: 400px; padding: 20vh 0 40px; text-align: center; text-wrap: balance; }
.status h1 { margin-bottom: 8px; font-size: 22px; line-height: 28px; font-weight: 600;
  letter-spacing: -0.012em; }
.status p { color: var(--text-2); }
`;

/** Nothing on the sheet is larger than 16 px: the texts of the QR have that size. */
const SHEET = `
.sheet { --text: #1f1e1b; --text-2: #5f5b55; --line: #e4e1dc; --accent: #274684; --bad: #a3231f;
  color-scheme: light; margin-bottom: 20px; padding: 28px 40px 36px; border: 1px solid var(--line);
  border-radius: 8px; background: #fff; color: var(--text); overflow-wrap: anywhere; }
.head { display: grid; grid-template-columns: minmax(0, 1fr) 200px minmax(0, 1fr);
  grid-template-areas: "issuer qr document"; gap: 24px; }
.qr { grid-area: qr; text-align: center; font-size: 16px; line-height: 20px; text-wrap: balance; }
.qr a { display: block; width: fit-content; margin: 0 auto; }
.qr svg { display: block; }
.qr .gloss { display: block; }
.issuer, .document { padding-top: 34px; }
.issuer { grid-area: issuer; }
.document { grid-area: document; text-align: right; }
.name, .document h2, .number, .mark { font-size: 16px; line-height: 22px; font-weight: 600; }
.document h2 { color: var(--brand, var(--accent)); }
.logo { display: block; width: auto; max-width: 40mm; height: auto; max-height: 14mm; margin-bottom: 8px; }
.document .gloss { display: block; }
.mark { color: var(--bad); text-wrap: balance; }
.details { margin-top: 8px; font-size: 14px; line-height: 20px; font-variant-numeric: tabular-nums; }
.details div { display: flex; flex-wrap: wrap; justify-content: flex-end; gap: 0 8px;
  overflow-wrap: break-word; }
.details dt { color: var(--text-2); }
.details dd { min-width: 0; }
.parties { display: grid; grid-template-columns: 1fr 1fr; gap: 24px; margin-top: 20px; padding-top: 14px;
  border-top: 1px solid var(--brand, var(--line)); }
.parties > div { min-width: 0; }
.parties h3 { margin-bottom: 2px; color: var(--text-2); font-size: 13px; line-height: 18px;
  font-weight: 400; }
.statement { margin-top: 18px; padding-left: 12px; border-left: 3px solid var(--accent); }
.statement .gloss { display: block; }
.registry, .own { margin-top: 24px; padding-top: 12px; border-top: 1px solid var(--line);
  color: var(--text-2); font-size: 13px; line-height: 18px; }
.own + .registry { margin-top: 4px; padding-top: 0; border-top: 0; }
`;

const TABLES = `
.lines, .taxes { width: 100%; margin-top: 20px; border-collapse: collapse; font-size: 14px; line-height: 20px;
  font-variant-numeric: tabular-nums; }
.lines thead th, .taxes thead th { padding: 0 0 6px 16px; color: var(--text-2); font-size: 13px;
  line-height: 18px; font-weight: 400; text-align: right; vertical-align: bottom; }
.lines thead th { border-bottom: 1.5px solid var(--text); white-space: nowrap; }
.lines td { padding: 9px 0 9px 16px; border-bottom: 1px solid var(--line); text-align: right;
  vertical-align: top; white-space: nowrap; }
.lines tr > :first-child, .taxes tr > :first-child { padding-left: 0; text-align: left; white-space: normal; }
.lines td:first-child { min-width: 120px; text-wrap: pretty; }
.lines .gloss { display: block; }
.phone { display: none; }
.closing { display: grid; grid-template-columns: minmax(0, 1fr) 300px; gap: 20px 32px; align-items: start;
  margin-top: 20px; }
.closing .taxes { margin-top: 0; }
.taxes thead th { border-bottom: 1px solid var(--line); white-space: nowrap; }
.taxes tbody th, .taxes td { padding: 6px 0 6px 16px; border-bottom: 1px solid var(--line);
  vertical-align: top; }
.taxes tbody th, .taxes tfoot th { font-weight: 400; }
.taxes td { text-align: right; white-space: nowrap; }
.taxes tfoot th, .taxes tfoot td { padding: 6px 0 0 16px; border-bottom: 0; font-weight: 600; }
.law, .taxes .gloss { display: block; color: var(--text-2); font-size: 13px; line-height: 18px; }
.note { margin-top: 12px; color: var(--text-2); font-size: 14px; line-height: 20px; }
.note:first-child { margin-top: 0; }
.totals { font-variant-numeric: tabular-nums; }
.totals div { display: flex; justify-content: space-between; gap: 16px; padding: 5px 0; font-size: 14px;
  line-height: 20px; }
.totals dt { min-width: 0; }
.totals .gloss { display: block; }
.totals dd { white-space: nowrap; }
.totals .total { margin-top: 3px; padding: 8px 0; border-top: 1.5px solid var(--text); font-size: 16px;
  line-height: 22px; font-weight: 600; }
.totals .total:first-child { margin-top: 0; }
.totals .euros dd, .totals .payable { font-weight: 600; }
.totals .payable { margin-top: 3px; padding-top: 8px; border-top: 1px solid var(--line); }
`;

const NARROWER = `
.sheet { padding: 24px 28px 32px; }
.head { gap: 16px; }
.details { font-size: 13px; line-height: 19px; }
.closing { grid-template-columns: minmax(0, 1fr) 264px; }
`;

const PHONE = `
@media screen and (max-width: 719px) {
  .bar, main, footer { width: calc(100% - 24px); }
  .bar { flex-wrap: wrap; padding: 16px 0 12px; }
  .download { width: 100%; margin: 0; }
  .documents li { gap: 2px 12px; padding: 10px 12px; }
  .documents .gloss { display: block; margin: 0; }
  .documents .soft span { display: block; }
  .documents .soft span + span::before { content: none; }
  .pdf { min-height: 44px; }
  .files { justify-content: flex-end; }
  .several > .files { grid-column: 1 / -1; justify-content: flex-start; padding-top: 8px; }
  .several > .figure, .several > s { grid-column: 2 / -1; }
  .sheet { padding: 20px 16px 24px; }
  .head { grid-template-columns: minmax(0, 1fr); grid-template-areas: "qr" "document" "issuer"; gap: 16px; }
  .issuer, .document { padding-top: 0; text-align: left; }
  .document { padding-top: 14px; border-top: 1px solid var(--line); }
  .details { font-size: 14px; line-height: 20px; }
  .details div { justify-content: flex-start; }
  .parties { grid-template-columns: minmax(0, 1fr); gap: 14px; margin-top: 16px; }
  .closing { grid-template-columns: minmax(0, 1fr); }
  .lines, .lines tbody, .lines td { display: block; }
  .lines thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .lines tbody { border-top: 1.5px solid var(--text); }
  .lines tr { display: flex; flex-wrap: wrap; padding: 10px 0; border-bottom: 1px solid var(--line); }
  .lines tr::before { content: ""; order: 3; width: 100%; }
  .lines td { padding: 0; border: 0; text-align: left; }
  .lines td:first-child { order: 1; flex: 1 1 0; min-width: 0; }
  .lines .amount { order: 2; padding-left: 16px; font-weight: 500; }
  .lines .part { order: 4; color: var(--text-2); font-size: 13px; line-height: 18px; white-space: pre-wrap; }
  .phone { display: inline; }
  .two-currencies, .two-currencies tbody, .two-currencies tfoot { display: block; }
  .two-currencies thead { display: none; }
  .two-currencies tr { display: grid; grid-template: auto auto auto / 1fr 1fr; grid-auto-flow: column;
    gap: 0 20px; padding: 8px 0; border-bottom: 1px solid var(--line); }
  .two-currencies tr > th:first-child { grid-column: 1 / 3; padding: 0; border: 0; font-weight: 600; }
  .two-currencies tr > td { display: flex; justify-content: space-between; gap: 8px; padding: 1px 0;
    border: 0; }
  .two-currencies tr > td::before { content: attr(data-head); color: var(--text-2); font-weight: 400; }
  .two-currencies tfoot tr { border-bottom: 0; }
}
@media screen and (max-width: 345px) {
  .two-currencies tr { display: block; }
  .taxes td { white-space: normal; }
}
`;

const PAPER = `
@page { size: A4; margin: 9mm 16mm 12mm; }
@media print {
  .bar, .documents, .notices, footer { display: none; }
  body { background: #fff; }
  main { width: auto; max-width: none; }
  .sheet { max-width: none; margin: 0; padding: 0; border: 0; border-radius: 0; break-after: page; }
  .sheet:last-child { break-after: auto; }
  .lines tr, .taxes tr, .closing, .statement { break-inside: avoid; }
  thead { display: table-header-group; }
  .head { gap: 12px; }
  .details { font-size: 13px; line-height: 19px; }
  .lines td, .taxes tbody th, .taxes td { padding-top: 5px; padding-bottom: 5px; }
  a { text-decoration: none; }
}
`;

const NARROW_SCREEN = `\n@media screen and (max-width: 899px) {${NARROWER}}\n`;

export const VIEWER_STYLESHEET = [FONTS, BASE, PARTS, AROUND, SHEET, TABLES, NARROW_SCREEN, PHONE, PAPER]
  .join("")
  .trimStart();

/** Narrower than this, the three columns of the head break dates and numbers. */
const NARROWEST = 560;

/** The form for phones wherever the sheet has as little room, on any screen. */
const BY_ROOM = PHONE.replace(
  "@media screen and (max-width: 719px)",
  `@container (max-width: ${NARROWEST - 1}px)`,
).replace("@media screen and (max-width: 345px)", "@container (max-width: 321px)");

/** For a sheet inside another site's page, which has its own fonts and leaves little room. */
export const SHEET_STYLESHEET = [
  `:host { display: block; container-type: inline-size; color-scheme: light;
    --accent: #274684; --text-2: #5f5b55;
    font: 15px/22px "IBM Plex Sans Variable", system-ui, sans-serif; }`,
  ...[PARTS, SHEET, TABLES, NARROWER, BY_ROOM],
  // Narrower than a small screen: an invoice number of usual length fits on one line.
  `@container (min-width: ${NARROWEST}px) { .sheet { padding: 24px 20px 28px; } .head { gap: 8px; } }`,
  ".sheet { margin: 0; border-radius: 10px; }",
].join("");
