import type { RecordView, VerdictView } from "../views.ts";
import { Link } from "./chain.tsx";
import { Facts, Layout, operationText, State, Table } from "./layout.tsx";

export interface RecordFacts {
  readonly record: RecordView;
  readonly chain: { readonly id: number; readonly nif: string; readonly installation: string };
  readonly verdicts: readonly VerdictView[];
  readonly xml: string;
}

export function RecordPage({ record, chain, verdicts, xml }: RecordFacts) {
  return (
    <Layout title={`Registro ${record.number}`}>
      <h1>
        {operationText(record.operation)} de {record.number || "(sin número)"}
      </h1>
      <Facts
        facts={[
          ["Obligado", chain.nif],
          ["Cadena", <a href={`/cadena/${chain.id}`}>{chain.installation || "(sin número)"}</a>],
          ["Fecha de expedición", record.date],
          ["Generado", record.generated_at],
          ["Referencia externa", record.reference ?? "No consta"],
          ["Estado", <State state={record.state} code={record.code} />],
          ["Descripción", record.description ?? "Sin errores"],
          ["CSV", record.csv ?? "No consta"],
          ["Enlace", <Link link={record.link} />],
          ["Huella", <code>{record.hash}</code>],
          ["Huella anterior", <code>{record.previous_hash ?? "Ninguna"}</code>],
          ["Contenido", record.changed ? <Changed /> : "Igual en todos los envíos"],
        ]}
      />
      <h2>Envíos en los que llegó</h2>
      <Table heads={["Mensaje", "Estado"]}>
        {verdicts.map(({ message, state, code }) => (
          <tr>
            <td class="number">
              <a href={`/mensaje/${message}`}>{message}</a>
            </td>
            <td>
              <State state={state} code={code} />
            </td>
          </tr>
        ))}
      </Table>
      <h2>XML</h2>
      <pre tabindex={0}>{xml}</pre>
    </Layout>
  );
}

function Changed() {
  return <span class="bad">Distinto en algún envío con la misma huella</span>;
}
