import type { ChainView, RecordView } from "../views.ts";
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

export function Link({ link }: { readonly link: string }) {
  const isGood = link === "first" || link === "linked";
  return <span class={isGood ? "" : "bad"}>{LINKS[link] ?? link}</span>;
}
