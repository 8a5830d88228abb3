import type { OpenApiDocument, OpenApiResponse, Operation, ShownExample } from "../openapi/format.ts";
import type { Parameter } from "../wire/parameters.ts";
import { CodeBlock, DocsTable, Marked } from "./page.tsx";

interface OperationProps {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
  readonly document: OpenApiDocument;
}

export function OperationSection({ method, path, operation, document }: OperationProps) {
  const body = operation.requestBody?.content["application/json"];
  const parameters = parametersOf(operation, document);
  return (
    <section aria-labelledby={operation.operationId}>
      <h2 id={operation.operationId}>{operation.summary}</h2>
      <p class="path">
        <span class="method">{method}</span> {path}
      </p>
      <p>
        <Marked text={operation.description} />
      </p>
      {operation.security.length > 0 ? <p class="muted">Needs X-API-KEY.</p> : null}
      {parameters.length > 0 ? <ParameterTable parameters={parameters} /> : null}
      {body ? (
        <>
          <h3>Body</h3>
          <p>
            Members: <SchemaLink schema={body.schema} />
          </p>
          <CodeBlock text={JSON.stringify(body.example, null, 2)} />
        </>
      ) : null}
      <h3>Answers</h3>
      <AnswerTable responses={operation.responses} />
      <AnswerExample responses={operation.responses} />
    </section>
  );
}

function parametersOf(operation: Operation, document: OpenApiDocument): Parameter[] {
  const referred = new Set(operation.parameters.map((reference) => reference.$ref.split("/").at(-1)));
  const known = Object.entries(document.components.parameters);
  return known.filter(([name]) => referred.has(name)).map(([, parameter]) => parameter);
}

function ParameterTable({ parameters }: { readonly parameters: readonly Parameter[] }) {
  return (
    <DocsTable columns={["Parameter", "In", "Meaning"]}>
      {parameters.map(({ name, in: place, required, description }) => (
        <tr>
          <td class="nb">
            <code>{name}</code>
          </td>
          <td class="nb">{required ? `${place}, required` : place}</td>
          <td>
            <Marked text={description} />
          </td>
        </tr>
      ))}
    </DocsTable>
  );
}

function AnswerTable({ responses }: { readonly responses: Operation["responses"] }) {
  return (
    <DocsTable columns={["Status", "Meaning"]}>
      {Object.entries(responses).map(([status, response]) => (
        <tr>
          <td class="nb">{status}</td>
          <td>{meaningOf(response)}</td>
        </tr>
      ))}
    </DocsTable>
  );
}

/** Error codes link to their row; success is described in words. */
function meaningOf({ description, content }: OpenApiResponse) {
  const examples = Object.entries(content["application/json"]?.examples ?? {});
  const codes = examples.filter(([, example]) => "$ref" in example).map(([code]) => code);
  if (codes.length === 0) return description;
  return codes.map((code, index) => (
    <>
      {index > 0 ? ", " : ""}
      <a href={`#error-${code}`}>
        <code>{code}</code>
      </a>
    </>
  ));
}

/** The example of a new result; if there are several examples, each with its summary. */
function AnswerExample({ responses }: { readonly responses: Operation["responses"] }) {
  const { content } = responses["201"] ?? responses["200"] ?? {};
  const example = content?.["application/json"]?.example;
  const shown = ["201", "200"].flatMap((status) => shownIn(responses[status]));
  return (
    <>
      {example ? <CodeBlock text={JSON.stringify(example, null, 2)} /> : null}
      {shown.map(({ summary, value }) => (
        <>
          <h4>{summary}</h4>
          <CodeBlock text={JSON.stringify(value, null, 2)} />
        </>
      ))}
    </>
  );
}

function shownIn(response: OpenApiResponse | undefined): ShownExample[] {
  const examples = Object.values(response?.content["application/json"]?.examples ?? {});
  return examples.flatMap((example) => ("$ref" in example ? [] : [example]));
}

function SchemaLink({ schema }: { readonly schema: { readonly $ref?: string } }) {
  const name = schema.$ref?.split("/").at(-1) ?? "";
  return <a href={`#schema-${name}`}>{name}</a>;
}
