import type { Child } from "hono/jsx";

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
