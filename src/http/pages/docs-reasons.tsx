import type { OpenApiDocument } from "../openapi/document.ts";
import type { PublishedReason } from "../openapi/example-reasons.ts";
import { DocsTable } from "./docs-table.tsx";

/** Every reason of an order, with its message as a connector could get it. */
export function ReasonTable({ reasons }: { readonly reasons: readonly PublishedReason[] }) {
  return (
    <DocsTable columns={["code", "Waits for the owner", "facts", "message, for example"]}>
      {reasons.flatMap(({ code, holds, forms }) =>
        forms.map(({ facts, message }, index) => (
          <tr {...(index === 0 ? { id: `reason-${code}` } : {})}>
            <td>
              <code>{code}</code>
            </td>
            <td>{holds ? "yes" : "no"}</td>
            <td>{facts.join(", ")}</td>
            <td>{message}</td>
          </tr>
        )),
      )}
    </DocsTable>
  );
}

/** Which version of the contract brought which field of an order. */
export function VersionTable({ fields }: { readonly fields: OpenApiDocument["x-contract-versions"] }) {
  const byVersion = Map.groupBy(fields, ({ since }) => since);
  return (
    <DocsTable columns={["contract_version", "Fields that it brought"]}>
      <tr>
        <td>1.0</td>
        <td>All others.</td>
      </tr>
      {[...byVersion].map(([since, brought]) => (
        <tr>
          <td>{since}</td>
          <td>
            {brought.map(({ field }, index) => (
              <>
                {index > 0 ? ", " : ""}
                <code>{field}</code>
              </>
            ))}
          </td>
        </tr>
      ))}
    </DocsTable>
  );
}
