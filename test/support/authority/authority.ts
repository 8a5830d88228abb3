/** The sandbox authority in this process: SQLite in memory, a clock that does not move, no waiting. */
import { DatabaseSync } from "node:sqlite";
import { XmlDocument, type XmlElement, type XmlNode } from "libxml2-wasm";
import { createAuthority } from "../../../src/sandbox/authority.ts";
import { controlSchema } from "../../../src/sandbox/behaviour/control.ts";
import { createTables, type Database, type SqlValue } from "../../../src/sandbox/store/database.ts";
import type { ChainView, MessageView } from "../../../src/sandbox/views.ts";
import { aeatFolder } from "./aeat-folder.ts";
import { message, NOON, type TestRecord } from "./messages.ts";
import { xsdErrors } from "./xsd.ts";

export const SERVICE = "https://prewww1.aeat.es/wlpl/TIKE-CONT/ws/SistemaFacturacion";

export interface AnsweredLine {
  readonly number: string;
  readonly operation: string;
  readonly reference: string | undefined;
  readonly state: string;
  readonly code: number | undefined;
  readonly description: string | undefined;
  readonly duplicate: Readonly<Record<string, string>> | undefined;
}

export interface Answered {
  readonly status: number;
  readonly contentType: string;
  readonly location: string | null;
  /** As far as it came. */
  readonly body: string;
  /** The connection broke before the end. */
  readonly isBroken: boolean;
  readonly state: string | undefined;
  readonly csv: string | undefined;
  readonly wait: string | undefined;
  readonly fault: { readonly side: string; readonly code: number; readonly text: string } | undefined;
  readonly lines: readonly AnsweredLine[];
}

export interface Sandbox {
  send(xml: string | Uint8Array, options?: SendOptions): Promise<Answered>;
  /** A message of its own with these records. */
  submit(...records: readonly TestRecord[]): Promise<Answered>;
  /** State or code of each record. */
  judge(...records: readonly TestRecord[]): Promise<(string | number)[]>;
  control(change: object): Promise<Response>;
  sendControl(body: string, method: "PUT" | "PATCH"): Promise<Response>;
  get(path: string, method?: string): Promise<Response>;
  chains(): Promise<ChainView[]>;
  messages(): Promise<MessageView[]>;
  setTime(milliseconds: number): void;
  /** Milliseconds that it would have waited, one after the other. */
  readonly waits: readonly number[];
}

export interface SendOptions {
  readonly endpoint?: "VerifactuSOAP" | "RequerimientoSOAP";
  readonly contentType?: string;
  readonly method?: string;
  /** The answer repeats a key or a reference that the schema of answers does not admit. */
  readonly echoesBadValues?: boolean;
}

export function aSandbox(initial: object = {}): Sandbox {
  const database = databaseInMemory();
  createTables(database);
  let now = NOON;
  const waits: number[] = [];
  const answer = createAuthority({
    database,
    now: () => now,
    wait: async (milliseconds) => {
      if (milliseconds > 0) waits.push(milliseconds);
    },
    brokenBody,
    initialControl: controlSchema.parse(initial),
  });
  const get = (path: string, method = "GET") =>
    answer(new Request(`https://authority.test${path}`, { method }));
  const send: Sandbox["send"] = async (xml, options = {}) => {
    const { endpoint = "VerifactuSOAP", contentType = "text/xml; charset=utf-8", method = "POST" } = options;
    const body = typeof xml === "string" ? xml : new Uint8Array(xml);
    const sent = method === "GET" ? {} : { body };
    const headers = { "Content-Type": contentType };
    const response = await answer(new Request(`${SERVICE}/${endpoint}`, { method, headers, ...sent }));
    return answered(response, options.echoesBadValues ?? false);
  };
  const sendControl: Sandbox["sendControl"] = (body, method) =>
    answer(new Request("https://authority.test/control", { method, body }));
  const submit: Sandbox["submit"] = (...records) => send(message(records));
  return {
    send,
    submit,
    get,
    waits,
    judge: async (...records) => (await submit(...records)).lines.map(({ code, state }) => code ?? state),
    sendControl,
    control: (change) => sendControl(JSON.stringify(change), "PUT"),
    chains: async () => (await readJson<{ chains: ChainView[] }>(await get("/records"))).chains,
    messages: async () => (await readJson<{ messages: MessageView[] }>(await get("/messages"))).messages,
    setTime: (milliseconds) => {
      now = milliseconds;
    },
  };
}

/** JSON of the sandbox, in a shape that the caller knows. */
export async function readJson<Shape>(response: Response): Promise<Shape> {
  return (await response.json()) as Shape;
}

function databaseInMemory(): Database {
  const database = new DatabaseSync(":memory:");
  return {
    all: (sql, ...values) => {
      const rows = database.prepare(sql).all(...values);
      return rows.map((row) => row as Record<string, SqlValue>);
    },
    transaction: (work) => {
      database.exec("BEGIN");
      try {
        const result = work();
        database.exec("COMMIT");
        return result;
      } catch (error) {
        database.exec("ROLLBACK");
        throw error;
      }
    },
  };
}

function brokenBody(sent: Uint8Array): ReadableStream {
  let isSent = false;
  return new ReadableStream({
    pull(controller) {
      if (isSent) return controller.error(new Error("the connection is closed"));
      isSent = true;
      controller.enqueue(sent);
    },
  });
}

async function answered(response: Response, echoesBadValues: boolean): Promise<Answered> {
  const { body, isBroken } = await readBody(response);
  const http = {
    status: response.status,
    contentType: response.headers.get("Content-Type") ?? "",
    location: response.headers.get("Location"),
  };
  if (!http.contentType.startsWith("text/xml") || isBroken || !body.endsWith("</env:Envelope>")) {
    return { ...http, body, isBroken, ...NO_ANSWER };
  }
  const isFault = body.includes("<env:Fault>");
  const problems = aeatFolder === undefined || isFault || echoesBadValues ? [] : xsdErrors(body);
  if (problems.length > 0)
    throw new Error(`an answer outside of its schema: ${problems.join("\n")}\n${body}`);
  return { ...http, body, isBroken, ...readAnswer(body) };
}

const NO_ANSWER = { ...{ state: undefined, csv: undefined, wait: undefined, fault: undefined }, lines: [] };

async function readBody({ body }: Response): Promise<{ readonly body: string; readonly isBroken: boolean }> {
  const decoder = new TextDecoder();
  let text = "";
  try {
    for await (const part of body ?? []) text += decoder.decode(part, { stream: true });
    return { body: text, isBroken: false };
  } catch {
    return { body: text, isBroken: true };
  }
}

/** Read with another parser than the sandbox's own. */
function readAnswer(
  xml: string,
): Omit<Answered, "status" | "contentType" | "location" | "body" | "isBroken"> {
  const document = XmlDocument.fromString(xml);
  try {
    const text = (name: string, node: XmlNode = document.root) => node.get(pathTo(name))?.content;
    const fault = /^Codigo\[(\d+)\]\.(.*)$/s.exec(text("faultstring") ?? "");
    return {
      state: text("EstadoEnvio"),
      csv: text("CSV"),
      wait: text("TiempoEsperaEnvio"),
      fault: fault
        ? { side: text("faultcode") ?? "", code: Number(fault[1]), text: fault[2] ?? "" }
        : undefined,
      lines: document.find(pathTo("RespuestaLinea")).map((line) => readLine(line, text)),
    };
  } finally {
    document.dispose();
  }
}

function readLine(line: XmlNode, text: (name: string, node: XmlNode) => string | undefined): AnsweredLine {
  const own = (name: string) => line.get(`*[local-name()='${name}']`)?.content;
  const code = own("CodigoErrorRegistro");
  const flags = ["TipoOperacion", "Subsanacion", "RechazoPrevio", "SinRegistroPrevio"];
  const duplicate = line.get("*[local-name()='RegistroDuplicado']") as XmlElement | null;
  return {
    number: text("NumSerieFactura", line) ?? "",
    operation: flags.map((name) => text(name, line) ?? "-").join(" "),
    reference: own("RefExterna"),
    state: own("EstadoRegistro") ?? "",
    code: code === undefined ? undefined : Number(code),
    description: own("DescripcionErrorRegistro"),
    duplicate: duplicate
      ? Object.fromEntries(duplicate.find("*").map((child) => [(child as XmlElement).name, child.content]))
      : undefined,
  };
}

function pathTo(name: string): string {
  return `descendant-or-self::*[local-name()='${name}']`;
}
