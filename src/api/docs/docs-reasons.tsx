import { LATEST_CONTRACT_VERSION } from "../../domain/order/normalize-contract.ts";
import type { PublishedReason } from "../openapi/example-reasons.ts";
import type { OpenApiDocument } from "../openapi/format.ts";
import type { Schema } from "../openapi/schema.ts";
import { broughtIn } from "./docs-schema.tsx";
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

/** What the newest version brought besides fields of orders. */
export function LatestVersion({ request }: { readonly request: Schema }) {
  return (
    <>
      <h3 id="latest">New in {LATEST_CONTRACT_VERSION}</h3>
      <ul>
        <li>
          Orders: a shop tells its totals by rate in <code>tax_totals</code> and orders that only try the shop
          in <code>test</code>.
        </li>
        <li>
          Invoices: <code>POST /api/v1/invoice?preview=true</code> answers what would be issued, or the
          refusal, and stores nothing.
        </li>
        <li>
          Members of <code>InvoiceRequest</code>:{" "}
          {broughtIn(request, LATEST_CONTRACT_VERSION).map((path, index) => (
            <>
              {index > 0 ? ", " : ""}
              <code>{path}</code>
            </>
          ))}
          .
        </li>
        <li>
          A parameter of the query that a route does not have is refused: <code>unknown_parameter</code>. The
          route <code>module-version</code> alone takes others.
        </li>
      </ul>
    </>
  );
}
