import type { LineView, MessageView } from "../views.ts";
import { Facts, Layout, operationText, readable, State, Table, when } from "./layout.tsx";

interface MessageFacts {
  readonly message: MessageView;
  readonly lines: readonly LineView[];
  readonly request: string;
  readonly response: string | undefined;
}

/** A message of a thousand records is two million characters, too many for a page. */
const LONGEST_SHOWN = 60_000;

export function MessagePage({ message, lines, request, response }: MessageFacts) {
  return (
    <Layout title={`Mensaje ${message.id}`}>
      <h1>Mensaje {message.id}</h1>
      <Facts
        facts={[
          ["Recibido", when(message.received_at)],
          ["Dirección", `${message.host}, ${message.endpoint}`],
          ["Operación", message.operation || "No reconocida"],
          ["Obligado", message.nif || "No consta"],
          ["Incidencia", message.incident ? "Sí" : "No"],
          ["Resultado", <Outcome message={message} />],
          ["CSV", message.csv ?? "No consta"],
          ["Respuesta HTTP", message.status ?? "Todavía sin respuesta"],
          ["Comportamiento", <Misbehaviour message={message} />],
          ["SHA-256 de la petición", <code>{message.request_sha256}</code>],
        ]}
      />
      {lines.length === 0 ? null : <Lines lines={lines} />}
      <h2>Petición</h2>
      <Xml text={request} href={`/messages/${message.id}/request`} />
      <h2>Respuesta</h2>
      {response === undefined ? (
        <p class="muted">Todavía sin respuesta.</p>
      ) : (
        <Xml text={response} href={`/messages/${message.id}/response`} />
      )}
    </Layout>
  );
}

function Lines({ lines }: { readonly lines: readonly LineView[] }) {
  return (
    <>
      <h2>Registros</h2>
      <Table heads={["Línea", "Operación", "Factura", "Fecha", "Estado"]}>
        {lines.map((line) => (
          <tr>
            <td class="number">{line.line + 1}</td>
            <td>{operationText(line.operation)}</td>
            <td>
              <a href={`/registro/${line.record}`}>{line.number || "(sin número)"}</a>
            </td>
            <td class="number">{line.date}</td>
            <td>
              <State state={line.state} code={line.code} />
            </td>
          </tr>
        ))}
      </Table>
    </>
  );
}

function Xml({ text, href }: { readonly text: string; readonly href: string }) {
  if (text === "") return <p class="muted">Vacía.</p>;
  const shown = text.slice(0, LONGEST_SHOWN);
  return (
    <>
      <pre tabindex={0}>{readable(shown)}</pre>
      <p>
        <a href={href}>{shown.length < text.length ? "Ver entera, tal como llegó" : "Ver tal como llegó"}</a>
      </p>
    </>
  );
}

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

function Outcome({ message: { outcome, early } }: { readonly message: MessageView }) {
  if (outcome === undefined) return <span class="muted">No tramitado</span>;
  const isCode = /^\d+$/.test(outcome);
  return (
    <>
      <State state={isCode ? `Rechazado entero (${outcome})` : outcome} />
      {early ? <span class="warn"> antes de tiempo</span> : null}
    </>
  );
}

function Misbehaviour({ message: { misbehaviour } }: { readonly message: MessageView }) {
  if (misbehaviour === undefined) return <span class="muted">Normal</span>;
  return <code>{JSON.stringify(misbehaviour)}</code>;
}
