/** Each check of mails in a crash run finds its fault. */
import { expect, test } from "vitest";
import { DONE, type Told } from "../../prove/crash/call.ts";
import { type Mails, mailProblems, type StoredMail, takenIn } from "../../prove/crash/mails.ts";
import type { ConnectionBooks } from "../../prove/crash/stored-books.ts";

const TO = "c1@acepta.example";
const ROW: StoredMail = {
  ...{ id: "de1", invoiceId: "in1", address: TO, cause: "issued", state: "sent", attempts: 1, error: null },
};
const TAKEN = { id: "de1", to: TO };

function told(kind: Told["call"]["kind"], began: number, change: Partial<Told> = {}): Told {
  const body = { recipient: { email: TO, accepts_electronic: true } };
  const call = {
    id: `c1/${kind}`,
    kind,
    connection: "api",
    about: "c1",
    method: "POST",
    path: "",
    body,
  } as const;
  return {
    ...{ call: { ...call, expect: [DONE] }, status: 200, code: DONE, tries: 1, began, ended: began + 1 },
    data: { invoice_id: "in1" },
    ...change,
  };
}

const SWITCHED = told("switch_mailing", 1);
const ISSUED = told("issue", 3);
const MAILED = told("mail", 5, { data: { delivery_id: "de1", invoice_id: "in1", to: TO } });
// The rule reads no other columns.
const BOOKS = [{ connectionId: "cn1", invoices: [{ id: "in1" }] }] as unknown as readonly ConnectionBooks[];

const found = (change: Partial<Mails> = {}, calls: readonly Told[] = [SWITCHED, ISSUED, MAILED]) =>
  mailProblems(calls, { stored: [ROW], taken: [TAKEN], ...change }, BOOKS).map(({ kind }) => kind);

test("a mail that was taken once for its invoice is no problem", () => {
  expect(found()).toEqual([]);
});

test.each([
  ["one that is still queued", { stored: [{ ...ROW, state: "queued" }] }, ["due"]],
  ["one that failed without a reason", { stored: [{ ...ROW, state: "failed" }], taken: [] }, ["due"]],
  ["one taken more often than it was tried", { taken: [TAKEN, TAKEN] }, ["doubled"]],
  ["two of one invoice to one address", { stored: [ROW, { ...ROW, id: "de2", cause: "call" }] }, ["doubled"]],
  ["one that is taken and not in the books", { taken: [TAKEN, { id: "de9", to: TO }] }, ["contradiction"]],
  ["an acknowledged one that is gone", { stored: [], taken: [] }, ["lost", "lost"]],
  [
    "a refused address that was taken",
    { stored: [{ ...ROW, state: "failed", error: "address_refused" }] },
    ["contradiction"],
  ],
] as const)("%s is found", (_, change, kinds) => {
  expect(found(change)).toEqual(kinds);
});

test("a mail of an invoice from before the switch is found, and one that is missing after it", () => {
  expect(found({}, [{ ...SWITCHED, began: 9, ended: 10 }, ISSUED, MAILED])).toEqual(["contradiction"]);
  expect(found({ stored: [{ ...ROW, cause: "call" }] })).toEqual(["lost"]);
});

test("mails are read from what the local mail service has kept", () => {
  const notice = "To: ana@empresa.example\nSubject: Acceso\n\nHola\n";
  const mail = `From: Uno <a@b.example>\nTo: ${TO}\nReply-To: x@y.example\nSubject: Factura 1\nX-Entity-Ref-ID: de1\n\nHola\n`;
  expect(takenIn(`${notice}${mail}${notice}`)).toEqual([TAKEN]);
});
