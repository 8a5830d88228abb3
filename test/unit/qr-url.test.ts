import { expect, test } from "vitest";
import { qrUrl } from "../../src/domain/verifactu/record.ts";

const KEY = { issuerNif: "89890001K", number: "12345678-G33", date: "01-09-2024" };

test.each([
  [
    "in test, the invoice that the AEAT keeps for trying",
    { environment: "test", key: KEY, total: "241.40" },
    "https://prewww2.aeat.es/wlpl/TIKE-CONT/ValidarQR" +
      "?nif=89890001K&numserie=12345678-G33&fecha=01-09-2024&importe=241.40",
  ],
  [
    "in production, a negative total",
    { environment: "production", key: KEY, total: "-12.10" },
    "https://www2.agenciatributaria.gob.es/wlpl/TIKE-CONT/ValidarQR" +
      "?nif=89890001K&numserie=12345678-G33&fecha=01-09-2024&importe=-12.10",
  ],
] as const)("%s", (_, invoice, expected) => {
  expect(qrUrl(invoice)).toBe(expected);
});

test.each([
  ["a slash", "A/1", "A%2F1"],
  ["a plus, which raw would be a space", "A+1", "A%2B1"],
  ["a space", "A 1", "A%201"],
  ["an ampersand", "A&1", "A%261"],
  ["a percent sign, encoded once", "A%2F1", "A%252F1"],
  ["a hash sign", "A#1", "A%231"],
])("%s in the number is encoded", (_, number, encoded) => {
  const url = qrUrl({ environment: "test", key: { ...KEY, number }, total: "1.00" });
  expect(url).toContain(`&numserie=${encoded}&fecha=`);
  expect(new URL(url).searchParams.get("numserie")).toBe(number);
});

test("every printable ASCII character survives the way the AEAT decodes", () => {
  const number = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).join("");
  const url = qrUrl({ environment: "production", key: { ...KEY, number }, total: "1.00" });
  expect([...new URL(url).searchParams]).toEqual([
    ["nif", "89890001K"],
    ["numserie", number],
    ["fecha", "01-09-2024"],
    ["importe", "1.00"],
  ]);
});
