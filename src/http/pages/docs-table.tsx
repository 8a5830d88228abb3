import type { Child } from "hono/jsx";

/** The frame that every table of the page has; a wide one scrolls by itself. */
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
