import { LATEST_CONTRACT_VERSION } from "../../domain/order/sent-order.ts";
import { PROBLEMS } from "../../words/words.ts";
import { INVOICE_REQUEST_EXAMPLE } from "../endpoints/post-invoice.ts";
import { INTRODUCTION } from "../openapi/document.ts";
import type { ErrorExample } from "../openapi/error-examples.ts";
import type { OpenApiDocument } from "../openapi/format.ts";
import type { PublishedReason } from "../openapi/reasons.ts";
import { isSchema, type Schema, whenPresent } from "../openapi/schema.ts";
import { OperationSection } from "./docs-operation.tsx";
import { WebhooksSection } from "./docs-webhooks.tsx";
import { CodeBlock, DocsRules, DocsTable, Marked, Page } from "./page.tsx";

interface DocsProps {
  readonly document: OpenApiDocument;
  readonly baseUrl: string;
}

/** The contract as a page for people, generated from the OpenAPI document. */
export function DocsPage({ document, baseUrl }: DocsProps) {
  const operations = operationsOf(document);
  const { title, version } = document.info;
  return (
    <Page title={`${title} API`} language="en">
      <main>
        <h1>
          {title} API <span class="muted">{version}</span>
        </h1>
        <p>{INTRODUCTION}</p>
        <nav aria-label="Contents">
          <ul>
            {operations.map(({ method, path, operation }) => (
              <li>
                <a href={`#${operation.operationId}`}>
                  <code>
                    {method} {path}
                  </code>
                </a>{" "}
                <span class="muted">{operation.summary}</span>
              </li>
            ))}
            <li>
              <a href="#webhooks">Webhooks</a>
            </li>
            <li>
              <a href="#schemas">Members of requests and answers</a>
            </li>
            <li>
              <a href="#reasons">Why an order stands as it does</a>
            </li>
            <li>
              <a href="#versions">Contract versions of an order</a>
            </li>
            <li>
              <a href="#errors">Errors</a>
            </li>
          </ul>
        </nav>
        <FirstInvoice baseUrl={baseUrl} />
        <Rules />
        {operations.map((entry) => (
          <OperationSection {...entry} document={document} />
        ))}
        <WebhooksSection webhooks={document.webhooks} />
        <h2 id="schemas">Members of requests and answers</h2>
        {Object.entries(document.components.schemas).map(([name, schema]) => (
          <SchemaTable name={name} schema={schema} />
        ))}
        <h2 id="reasons">Why an order stands as it does</h2>
        <ReasonTable reasons={document["x-order-reasons"]} />
        <h2 id="versions">Contract versions of an order</h2>
        <p>
          Every field is read, whatever version an order declares; the answer warns of one that is newer. A
          version that is newer than these is accepted.
        </p>
        <VersionTable fields={document["x-contract-versions"]} />
        <LatestVersion request={document.components.schemas.InvoiceRequest ?? {}} />
        <h2 id="errors">Errors</h2>
        <ErrorTable examples={document.components.examples} />
        <ProblemTable />
      </main>
    </Page>
  );
}

function FirstInvoice({ baseUrl }: { readonly baseUrl: string }) {
  const command = [
    `curl -X POST ${baseUrl}/api/v1/invoice \\`,
    "  -H 'X-API-KEY: <your key>' -H 'Content-Type: application/json' \\",
    `  -d '${JSON.stringify(INVOICE_REQUEST_EXAMPLE, null, 2)}'`,
  ].join("\n");
  return (
    <>
      <h2>The first invoice</h2>
      <CodeBlock text={command} />
    </>
  );
}

const RULES: readonly (readonly [rule: string, text: string])[] = [
  ["Key", "Send the key of the connection in X-API-KEY, from a server. It never belongs in a browser."],
  [
    "Idempotency",
    "external_id is the key: the same content again answers 200 with replayed true, other content 409. A " +
      "request that was refused leaves nothing behind, its external_id stays free. An order is known by " +
      "its id_external: with other content it is never a conflict but news, and what was issued stays.",
  ],
  [
    "Retries",
    "retryable true: send the same request again, after Retry-After seconds where it is given. It is never " +
      "duplicated. retryable false: correct the request first.",
  ],
  [
    "Amounts",
    "JSON numbers, read and written digit by digit, with at most 12 digits before and 6 after the point. " +
      "Those of orders may have any number of decimals: what lies beyond the eighth is rounded.",
  ],
  ["Request id", "X-Request-Id comes back in the header and in errors; give it when you write to us."],
  ["Language", "Sentences are English, or Spanish where Accept-Language prefers it. Codes never change."],
];

function Rules() {
  return (
    <>
      <h2>Rules of the road</h2>
      <DocsRules rules={RULES} />
    </>
  );
}

function operationsOf({ paths }: OpenApiDocument) {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
    })),
  );
}

/** The whole error table, with a sentence as a caller could receive it. */
function ErrorTable({ examples }: { readonly examples: Readonly<Record<string, ErrorExample>> }) {
  return (
    <DocsTable columns={["Status", "error_code", "retryable", "error, for example"]}>
      {Object.entries(examples).map(([code, { summary, value }]) => (
        <tr id={`error-${code}`}>
          <td class="nb">{summary.split(" ")[0]}</td>
          <td>
            <code>{code}</code>
          </td>
          <td>{String(value.retryable)}</td>
          <td>{value.error}</td>
        </tr>
      ))}
    </DocsTable>
  );
}

/** Codes in `details` of validation_failed. */
function ProblemTable() {
  const sentencesByCode = Map.groupBy(Object.values(PROBLEMS), (problem) => problem.code);
  return (
    <>
      <h3>In details of validation_failed</h3>
      <DocsTable columns={["code", "message"]}>
        {[...sentencesByCode].map(([code, problems]) => (
          <tr>
            <td>
              <code>{code}</code>
            </td>
            <td>{problems.map((problem) => problem.sentence.en).join(" ")}</td>
          </tr>
        ))}
      </DocsTable>
    </>
  );
}

/** Every reason of an order, with a message as a connector could receive it. */
function ReasonTable({ reasons }: { readonly reasons: readonly PublishedReason[] }) {
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

/** The contract version that added each field of an order. */
function VersionTable({ fields }: { readonly fields: OpenApiDocument["x-contract-versions"] }) {
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

/** Additions of the newest version other than fields of orders. */
function LatestVersion({ request }: { readonly request: Schema }) {
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

interface Member {
  readonly path: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly meaning: string;
}

/** One table for a schema: its members, with nested members below them. */
function SchemaTable({ name, schema }: { readonly name: string; readonly schema: Schema }) {
  return (
    <section aria-labelledby={`schema-${name}`}>
      <h3 id={`schema-${name}`}>{name}</h3>
      {schema.enum ? <p>{meaningOf(schema)}</p> : <MemberTable schema={schema} />}
    </section>
  );
}

function MemberTable({ schema }: { readonly schema: Schema }) {
  return (
    <DocsTable columns={["Member", "Type", "Meaning"]}>
      {membersOf(schema, "").map(({ path, type, isRequired, meaning }) => (
        <tr>
          <td>
            <code>{path}</code>
          </td>
          <td class="nb">
            {type}
            {isRequired ? ", required" : ""}
          </td>
          <td>
            <Marked text={meaning} />
          </td>
        </tr>
      ))}
    </DocsTable>
  );
}

/** Members that a version of the contract added: their description says so. */
function broughtIn(schema: Schema, version: string): string[] {
  const brought = membersOf(schema, "").filter(({ meaning }) => meaning.includes(`Contract ${version}.`));
  return brought.map(({ path }) => path);
}

function membersOf(schema: Schema, prefix: string): Member[] {
  const branches = schema.anyOf ?? [];
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, published]) => {
    if (!isSchema(published)) return [];
    const member = whenPresent(published);
    const path = prefix + name;
    const isRequired = schema.required?.includes(name) ?? false;
    return [{ path, type: typeOf(member), isRequired, meaning: meaningOf(member) }, ...within(member, path)];
  });
  return [...own, ...branches.flatMap((branch) => membersOf(branch, prefix))];
}

function within(member: Schema, path: string): Member[] {
  if (isSchema(member.items)) return membersOf(member.items, `${path}[].`);
  return membersOf(member, `${path}.`);
}

function typeOf(schema: Schema): string {
  if (schema.format === "date") return "date";
  const types = [schema.type ?? (schema.const === undefined ? "any" : typeof schema.const)].flat();
  return types.filter((type) => type !== "null").join(" or ");
}

function meaningOf(schema: Schema): string {
  const items = isSchema(schema.items) ? schema.items : undefined;
  const values = [schema.enum ?? items?.enum ?? []].flat().filter((value) => value !== null && value !== "");
  const parts = [
    schema.description,
    values.length > 0 ? `One of ${values.join(", ")}.` : undefined,
    limitsOf(schema),
  ];
  return parts.filter((part) => part !== undefined).join(" ");
}

function limitsOf({
  minLength,
  maxLength,
  minItems,
  maxItems,
  minimum,
  maximum,
  exclusiveMinimum,
  not,
}: Schema): string | undefined {
  if (maxLength !== undefined) return `${minLength ?? 0} to ${maxLength} characters.`;
  if (maxItems !== undefined) return `${minItems ?? 0} to ${maxItems} entries.`;
  if (minimum !== undefined && maximum !== undefined) return `${minimum} to ${maximum}.`;
  if (exclusiveMinimum === 0) return "More than 0.";
  return not === undefined ? undefined : "Not 0.";
}
