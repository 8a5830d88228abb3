import { PROBLEMS } from "../errors/problems.ts";
import type { ErrorExample } from "../openapi/error-examples.ts";

/** The whole error table, with the sentence as a caller could get it. */
export function ErrorTable({ examples }: { readonly examples: Readonly<Record<string, ErrorExample>> }) {
  return (
    <div class="scroll">
      <table>
        <thead>
          <tr>
            <th scope="col">Status</th>
            <th scope="col">error_code</th>
            <th scope="col">retryable</th>
            <th scope="col">error, for example</th>
          </tr>
        </thead>
        <tbody>
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
        </tbody>
      </table>
    </div>
  );
}

/** Codes in `details` of validation_failed. */
export function ProblemTable() {
  const sentencesByCode = Map.groupBy(Object.values(PROBLEMS), (problem) => problem.code);
  return (
    <>
      <h3>In details of validation_failed</h3>
      <div class="scroll">
        <table>
          <thead>
            <tr>
              <th scope="col">code</th>
              <th scope="col">message</th>
            </tr>
          </thead>
          <tbody>
            {[...sentencesByCode].map(([code, problems]) => (
              <tr>
                <td>
                  <code>{code}</code>
                </td>
                <td>{problems.map((problem) => problem.en).join(" ")}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
