import type { MessageView } from "../views.ts";
import { State, Table, when } from "./layout.tsx";

const HEADS = [
  "Mensaje",
  "Recibido",
  "NIF",
  "Registros",
  "Resultado",
  "HTTP",
  "Incidencia",
  "Comportamiento",
];

export function MessageTable({ messages }: { readonly messages: readonly MessageView[] }) {
  if (messages.length === 0) return <p class="muted">Todavía no ha llegado ningún mensaje.</p>;
  return (
    <Table heads={HEADS}>
      {messages.map((message) => (
        <tr>
          <td class="number">
            <a href={`/mensaje/${message.id}`}>{message.id}</a>
          </td>
          <td class="number">{when(message.received_at)}</td>
          <td>{message.nif}</td>
          <td class="number">{message.records}</td>
          <td>
            <Outcome message={message} />
          </td>
          <td class="number">{message.status ?? "sin respuesta"}</td>
          <td>{message.incident ? "Sí" : "No"}</td>
          <td>
            <Misbehaviour message={message} />
          </td>
        </tr>
      ))}
    </Table>
  );
}

export function Outcome({ message: { outcome, early } }: { readonly message: MessageView }) {
  if (outcome === undefined) return <span class="muted">No tramitado</span>;
  const isCode = /^\d+$/.test(outcome);
  return (
    <>
      <State state={isCode ? `Rechazado entero (${outcome})` : outcome} />
      {early ? <span class="warn"> antes de tiempo</span> : null}
    </>
  );
}

export function Misbehaviour({ message: { misbehaviour } }: { readonly message: MessageView }) {
  if (misbehaviour === undefined) return <span class="muted">Normal</span>;
  return <code>{JSON.stringify(misbehaviour)}</code>;
}
