import type { Child } from "hono/jsx";
import { STYLESHEET_PATH } from "./stylesheet.ts";

interface PageProps {
  readonly title: string;
  readonly language: "en" | "es";
  readonly children: Child;
}

/** The frame of every page of the API host: no script, one own style sheet. */
export function Page({ title, language, children }: PageProps) {
  return (
    <html lang={language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{title}</title>
        <link rel="stylesheet" href={STYLESHEET_PATH} />
      </head>
      <body>{children}</body>
    </html>
  );
}

/** The result of `hono/jsx` for a page: a node whose text is escaped HTML. */
interface Rendered {
  toString(): string;
}

export function pageResponse(page: Rendered): Response {
  const headers = { "Content-Type": "text/html; charset=utf-8" };
  return new Response(`<!DOCTYPE html>${page.toString()}`, { headers });
}

/** The frame of every table of the page; a wide table scrolls in its frame. */
export function DocsTable(props: { readonly columns: readonly string[]; readonly children: Child }) {
  return (
    <div class="scroll">
      <table>
        <thead>
          <tr>
            {props.columns.map((column) => (
              <th scope="col">{column}</th>
            ))}
          </tr>
        </thead>
        <tbody>{props.children}</tbody>
      </table>
    </div>
  );
}

/** General rules of a subject: a name, and one or two sentences. */
export function DocsRules(props: { readonly rules: readonly (readonly [rule: string, text: string])[] }) {
  return (
    <dl>
      {props.rules.map(([rule, text]) => (
        <>
          <dt>
            <strong>{rule}</strong>
          </dt>
          <dd>{text}</dd>
        </>
      ))}
    </dl>
  );
}

/** Text that may be wider than the screen; focusable, so that it scrolls without a mouse (WCAG 2.1.1). */
export function CodeBlock({ text }: { readonly text: string }) {
  return <pre tabindex={0}>{text}</pre>;
}

/** Text of the contract, with literal names in backticks. */
export function Marked({ text }: { readonly text: string }) {
  return <>{text.split("`").map((part, index) => (index % 2 === 1 ? <code>{part}</code> : part))}</>;
}
