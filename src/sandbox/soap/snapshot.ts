/** An invoice as the service keeps it: the latest record of it that was accepted. */
import { comparable } from "../rules/dates.ts";
import type { ChainIdentity, InvoiceKey } from "../rules/record.ts";
import { numberOf, type Row, textOf } from "../store/database.ts";
import { readXml } from "../xml/read.ts";
import { childrenOf, elementAt, textAt, type XmlElement } from "../xml/tree.ts";

export interface Snapshot {
  readonly key: InvoiceKey;
  readonly chain: Omit<ChainIdentity, "nif">;
  readonly reference: string | undefined;
  /** The date of the operation, else of the issue: yyyy-mm-dd. It decides the period. */
  readonly day: string;
  /** NIF or other identifier of each. */
  readonly recipients: readonly string[];
  readonly record: XmlElement;
  readonly state: "Correcto" | "AceptadoConErrores" | "Anulado";
  readonly code: number | undefined;
  readonly description: string | undefined;
  readonly petition: string;
  readonly presentedAt: string;
}

const STATES: Readonly<Record<string, Snapshot["state"]>> = {
  Correcta: "Correcto",
  AceptadaConErrores: "AceptadoConErrores",
  Anulada: "Anulado",
};

export function snapshotOf(row: Row): Snapshot | undefined {
  const text = (column: string) => textOf(row, column) ?? "";
  const reading = readXml(text("xml"));
  if ("problem" in reading) return undefined;
  const record = reading.root;
  const key = { nif: text("nif"), number: text("number"), date: text("date") };
  return {
    key,
    chain: { producer: text("producer"), system: text("system"), installation: text("installation") },
    reference: textOf(row, "reference"),
    day: comparable(textAt(record, "FechaOperacion")) ?? comparable(key.date) ?? "",
    recipients: childrenOf(elementAt(record, "Destinatarios"), "IDDestinatario").map(
      (recipient) => textAt(recipient, "NIF") ?? textAt(recipient, "IDOtro", "ID") ?? "",
    ),
    record,
    state: STATES[text("state")] ?? "Correcto",
    code: numberOf(row, "code"),
    description: textOf(row, "description"),
    petition: text("petition"),
    presentedAt: text("presented_at"),
  };
}
