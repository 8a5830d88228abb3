import type { ChainView, RecordView, VerdictView } from "../views.ts";
import { Facts, Layout, operationText, State, Table } from "./layout.tsx";
import { Broken, Whole } from "./overview.tsx";

export const RECORDS_A_PAGE = 200;

const HEADS = ["N.º", "Operación", "Factura", "Fecha", "Generado", "Estado", "Enlace", "Recibido", "Huella"];

const LINKS: Readonly<Record<string, string>> = {
  first: "Primero",
  linked: "Encadenado",
  fork: "Bifurcación",
  unknown_previous: "Anterior desconocido",
  second_first: "Otro primero",
};

export function ChainPage({ chain, start }: { readonly chain: ChainView; readonly start: number }) {
  const { id, nif, producer, system, installation, records, broken_links: links } = chain;
  const end = start + RECORDS_A_PAGE;
  return (
    <Layout title={`Cadena ${installation}`}>
      <h1>{installation || "(instalación sin número)"}</h1>
      <Facts
        facts={[
          ["Obligado", nif],
          ["Productor y sistema", `${producer}, ${system}`],
          ["Registros", records.length],
          ["Encadenamiento", links === 0 ? <Whole /> : <Broken links={links} />],
        ]}
      />
      <Table heads={HEADS}>
        {records.slice(start, end).map((record, index) => (
          <RecordRow record={record} position={start + index + 1} />
        ))}
      </Table>
      <p>
        {start > 0 ? (
          <a href={`/cadena/${id}?desde=${Math.max(start - RECORDS_A_PAGE, 0)}`}>Anteriores</a>
        ) : null}{" "}
        {end < records.length ? <a href={`/cadena/${id}?desde=${end}`}>Siguientes</a> : null}
      </p>
    </Layout>
  );
}

function RecordRow({ record, position }: { readonly record: RecordView; readonly position: number }) {
  return (
    <tr>
      <td class="number">{position}</td>
      <td>{operationText(record.operation)}</td>
      <td class="number">
        <a href={`/registro/${record.id}`}>{record.number || "(sin número)"}</a>
      </td>
      <td class="number">{record.date}</td>
      <td class="number">{record.generated_at}</td>
      <td>
        <State state={record.state} code={record.code} />
      </td>
      <td>
        <Link link={record.link} />
      </td>
      <td class="number">{record.received === 1 ? "1 vez" : `${record.received} veces`}</td>
      <td class="number">
        <code>{record.hash.slice(0, 8)}…</code>
      </td>
    </tr>
  );
}

function Link({ link }: { readonly link: string }) {
  const isGood = link === "first" || link === "linked";
  return <span class={isGood ? "" : "bad"}>{LINKS[link] ?? link}</span>;
}

interface RecordFacts {
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
