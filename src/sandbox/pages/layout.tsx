import type { Child } from "hono/jsx";

export function Layout({ title, children }: { readonly title: string; readonly children: Child }) {
  return (
    <html lang="es">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{`${title} · Autoridad de pruebas`}</title>
        <link rel="stylesheet" href={STYLESHEET_PATH} />
      </head>
      <body>
        <header>
          <a href="/">Autoridad de pruebas</a>
          <p>Simula el servicio VERI*FACTU de la AEAT en este equipo. Nada de lo que recibe sale de él.</p>
        </header>
        <main>{children}</main>
      </body>
    </html>
  );
}

/** The name of a state, in its colour. */
export function State({ state, code }: { readonly state: string; readonly code?: number | undefined }) {
  const tone = TONES[state] ?? "bad";
  return <span class={tone}>{code === undefined ? state : `${state} (${code})`}</span>;
}

const TONES: Readonly<Record<string, string>> = {
  Correcto: "good",
  Correcta: "good",
  ParcialmenteCorrecto: "warn",
  AceptadoConErrores: "warn",
  AceptadaConErrores: "warn",
  Anulada: "muted",
  Consulta: "muted",
};

export function Table({ heads, children }: { readonly heads: readonly string[]; readonly children: Child }) {
  return (
    <div class="scroll">
      <table>
        <thead>
          <tr>
            {heads.map((head) => (
              <th scope="col">{head}</th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

export function Facts({ facts }: { readonly facts: readonly (readonly [name: string, value: Child])[] }) {
  return (
    <dl>
      {facts.map(([name, value]) => (
        <>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </>
      ))}
    </dl>
  );
}

/** The operation in words: `Alta Subsanacion X` is an amendment after a rejection. */
export function operationText(operation: string): string {
  return operation
    .split(" ")
    .map((word) => WORDS[word] ?? `rechazo previo ${word}`)
    .join(", ");
}

const WORDS: Readonly<Record<string, string>> = {
  Alta: "Alta",
  Anulacion: "Anulación",
  Subsanacion: "subsanación",
  SinRegistroPrevio: "sin registro previo",
};

/** An instant in peninsular time, to the second. */
export function when(iso: string): string {
  return CLOCK.format(Date.parse(iso));
}

const CLOCK = new Intl.DateTimeFormat("es-ES", {
  timeZone: "Europe/Madrid",
  ...{
    day: "2-digit",
    month: "2-digit",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  },
});

/** Each element on a line of its own. */
export function readable(xml: string): string {
  let depth = 0;
  const lines = xml.replace(/>\s*</g, ">\n<").split("\n");
  return lines
    .map((line) => {
      if (line.startsWith("</")) depth -= 1;
      const text = `${"  ".repeat(Math.max(depth, 0))}${line.trim()}`;
      const isOpening = /^<[^/?!]/.test(line) && !line.includes("</") && !line.endsWith("/>");
      if (isOpening) depth += 1;
      return text;
    })
    .join("\n");
}

export const STYLESHEET_PATH = "/authority.css";

/** Slate instead of the product's colours, so that the two are not confused. */
export const STYLESHEET = `
:root {
  color-scheme: light dark;
  --page: light-dark(#f6f7f9, #14161a); --surface: light-dark(#ffffff, #1b1e24);
  --line: light-dark(#dfe3e8, #333a44); --text: light-dark(#1b2027, #e9ecf0);
  --muted: light-dark(#58626f, #a8b1bd); --accent: light-dark(#1f5f7a, #8fc7df);
  --good: light-dark(#1c6b3c, #82d3a2); --warn: light-dark(#8a5300, #efbd6c);
  --bad: light-dark(#a3261d, #f29a92);
  --font: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  --mono: ui-monospace, "Cascadia Mono", "SF Mono", Menlo, "DejaVu Sans Mono", monospace;
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text); font: 15px/23px var(--font); }
header, main { max-width: 1180px; margin: 0 auto; padding: 24px 32px; }
header { padding-bottom: 0; display: flex; flex-wrap: wrap; gap: 4px 24px; align-items: baseline; }
header p { margin: 0; color: var(--muted); }
main { padding-bottom: 56px; }
h1 { font-size: 24px; line-height: 32px; font-weight: 600; margin: 0 0 16px; overflow-wrap: anywhere; }
h2 { font-size: 17px; line-height: 26px; font-weight: 600; margin: 32px 0 8px; }
p { margin: 0 0 12px; max-width: 75ch; }
a { color: var(--accent); text-underline-offset: 3px; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 3px; }
code, pre { font: 13px/20px var(--mono); }
code { overflow-wrap: anywhere; }
pre { margin: 0 0 12px; padding: 12px 16px; max-height: 640px; overflow: auto; background: var(--surface);
  border: 1px solid var(--line); border-radius: 6px; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 4px 24px; margin: 0 0 16px; }
dt { color: var(--muted); }
dd { margin: 0; overflow-wrap: anywhere; }
.scroll { overflow-x: auto; background: var(--surface); border: 1px solid var(--line); border-radius: 8px; }
table { border-collapse: collapse; width: 100%; font-size: 13px; line-height: 19px; }
th, td { text-align: left; vertical-align: top; padding: 8px 12px; border-bottom: 1px solid var(--line); }
th { font-weight: 500; color: var(--muted); white-space: nowrap; }
tr:last-child td { border-bottom: 0; }
td.number { font-variant-numeric: tabular-nums; white-space: nowrap; }
.good { color: var(--good); } .warn { color: var(--warn); } .bad { color: var(--bad); }
.muted { color: var(--muted); }
@media (max-width: 720px) {
  header, main { padding-left: 16px; padding-right: 16px; }
  dl { grid-template-columns: 1fr; gap: 0; }
  dd { margin-bottom: 8px; }
}
`.trimStart();
