import type { Control } from "../behaviour/control.ts";
import type { ChainView, MessageView } from "../views.ts";
import { Layout, Table } from "./layout.tsx";
import { MessageTable } from "./messages.tsx";

export interface OverviewFacts {
  readonly chains: readonly ChainView[];
  readonly messages: readonly MessageView[];
  readonly control: Control;
}

const CHAIN_HEADS = [
  ...["NIF", "Instalación", "Sistema", "Registros", "Correctos", "Con errores", "Rechazados"],
  "Encadenamiento",
];

export function Overview({ chains, messages, control }: OverviewFacts) {
  return (
    <Layout title="Lo recibido">
      <h1>Lo recibido</h1>
      <h2>Cadenas</h2>
      {chains.length === 0 ? (
        <p class="muted">Todavía no hay registros.</p>
      ) : (
        <Table heads={CHAIN_HEADS}>
          {chains.map((chain) => (
            <ChainRow chain={chain} />
          ))}
        </Table>
      )}
      <h2>Últimos mensajes</h2>
      <MessageTable messages={messages} />
      <h2>Comportamiento</h2>
      <p>
        Se cambia con <code>PUT /control</code>. Los datos se leen también como JSON en{" "}
        <a href="/records">/records</a>, <a href="/messages">/messages</a> y <a href="/summary">/summary</a>,
        y se borran con <code>DELETE /records</code>.
      </p>
      <pre tabindex={0}>{JSON.stringify(control, undefined, 2)}</pre>
    </Layout>
  );
}

function ChainRow({ chain }: { readonly chain: ChainView }) {
  const count = (state: string) => chain.records.filter((record) => record.state === state).length;
  return (
    <tr>
      <td>{chain.nif}</td>
      <td>
        <a href={`/cadena/${chain.id}`}>{chain.installation || "(sin número)"}</a>
      </td>
      <td>
        {chain.system} <span class="muted">de {chain.producer}</span>
      </td>
      <td class="number">{chain.records.length}</td>
      <td class="number">{count("Correcto")}</td>
      <td class="number">{count("AceptadoConErrores")}</td>
      <td class="number">{count("Incorrecto")}</td>
      <td>{chain.broken_links === 0 ? <Whole /> : <Broken links={chain.broken_links} />}</td>
    </tr>
  );
}

export function Whole() {
  return <span class="good">Íntegro</span>;
}

export function Broken({ links }: { readonly links: number }) {
  return <span class="bad">{links === 1 ? "1 salto" : `${links} saltos`}</span>;
}
