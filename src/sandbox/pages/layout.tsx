import type { Child } from "hono/jsx";
import { STYLESHEET_PATH } from "./stylesheet.ts";

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
