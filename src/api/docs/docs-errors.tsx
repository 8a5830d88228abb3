import { PROBLEMS } from "../../words/words.ts";
import type { ErrorExample } from "../openapi/error-examples.ts";
import { DocsTable } from "./docs-table.tsx";

/** The whole error table, with the sentence as a caller could get it. */
export function ErrorTable({ examples }: { readonly examples: Readonly<Record<string, ErrorExample>> }) {
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
export function ProblemTable() {
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
