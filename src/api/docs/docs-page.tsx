import { INVOICE_REQUEST_EXAMPLE } from "../endpoints/post-invoice.ts";
import { INTRODUCTION } from "../openapi/document.ts";
import type { OpenApiDocument } from "../openapi/format.ts";
import { CodeBlock } from "./code-block.tsx";
import { ErrorTable, ProblemTable } from "./docs-errors.tsx";
import { OperationSection } from "./docs-operation.tsx";
import { LatestVersion, ReasonTable, VersionTable } from "./docs-reasons.tsx";
import { SchemaTable } from "./docs-schema.tsx";
import { DocsRules } from "./docs-table.tsx";
import { WebhooksSection } from "./docs-webhooks.tsx";
import { Page } from "./page.tsx";

interface DocsProps {
  readonly document: OpenApiDocument;
  readonly baseUrl: string;
}

/** The contract for people, made from the same document that machines read. */
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
