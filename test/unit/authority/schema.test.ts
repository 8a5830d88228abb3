/** The sandbox's tables of elements and values, against the AEAT's own schemas. */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Refusal } from "../../../src/sandbox/rules/check.ts";
import { structureProblem, valueProblem } from "../../../src/sandbox/schema/checks.ts";
import { SUBMISSION_MESSAGE } from "../../../src/sandbox/schema/messages.ts";
import { readEnvelope } from "../../../src/sandbox/soap/endpoint.ts";
import { aeatFolder } from "../../support/authority/aeat-folder.ts";
import { aSandbox } from "../../support/authority/authority.ts";
import * as make from "../../support/authority/messages.ts";
import { xsdErrors } from "../../support/authority/xsd.ts";

const { alta, anulacion, chained, CUSTOMER, invoiceKey, LINE, SYSTEM } = make;
const OTHER = { IDOtro: { CodigoPais: "US", IDType: "04", ID: "98-7654321" } };

/** Between them the records have every element once; what the rules say of that does not matter here. */
const EVERYTHING = make.message(
  chained(
    alta({
      Subsanacion: "S",
      RechazoPrevio: "X",
      TipoFactura: "R1",
      TipoRectificativa: "S",
      FacturasRectificadas: { IDFacturaRectificada: [invoiceKey("A-0"), invoiceKey("A-00")] },
      FacturasSustituidas: { IDFacturaSustituida: invoiceKey("T-1") },
      ImporteRectificacion: { BaseRectificada: "1", CuotaRectificada: "1", CuotaRecargoRectificado: "1" },
      FechaOperacion: "26-11-2026",
      FacturaSimplificadaArt7273: "N",
      FacturaSinIdentifDestinatarioArt61d: "N",
      Macrodato: "N",
      EmitidaPorTerceroODestinatario: "T",
      Tercero: CUSTOMER,
      Destinatarios: { IDDestinatario: [CUSTOMER, { NombreRazon: "BUYER INC", ...OTHER }] },
      Cupon: "N",
      Desglose: {
        DetalleDesglose: [
          { ...LINE, TipoRecargoEquivalencia: "5.2", CuotaRecargoEquivalencia: "5.20" },
          { ...LINE, CalificacionOperacion: undefined, OperacionExenta: "E1", BaseImponibleACoste: "1" },
        ],
      },
      NumRegistroAcuerdoFacturacion: "A",
      IdAcuerdoSistemaInformatico: "B",
    }),
    anulacion({
      SinRegistroPrevio: "S",
      RechazoPrevio: "S",
      GeneradoPor: "T",
      Generador: { NombreRazon: "BUYER INC", ...OTHER },
      SistemaInformatico: { ...SYSTEM, NIF: undefined, ...OTHER },
    }),
  ),
  {
    Representante: CUSTOMER,
    RemisionVoluntaria: { FechaFinVeriFactu: "31-12-2026", Incidencia: "S" },
  },
);

const LEAF = /<sf:(\w+)>([^<]*)<\/sf:\1>/g;
const LEAVES = [...EVERYTHING.matchAll(LEAF)].map((match) => ({ text: match[0], at: match.index }));

const CUTS = [
  "",
  "S",
  "0",
  "1.234",
  "XX",
  "ñ".repeat(600),
  "99-99-9999",
  "27-11-2026",
  "-5",
  "F9",
  " S",
  "04",
  "1e3",
];

/** Whom they name, or that one of two is there, is for the rules, which have codes of their own. */
const LEFT_TO_RULES = /<sf:(NIF|IDEmisorFactura|CalificacionOperacion|OperacionExenta)>/;

const damage = fc.record({
  leaf: fc.nat({ max: LEAVES.length - 1 }),
  with: fc.oneof(
    fc.constantFrom("delete", "double", "swap", "rename", "wrap", "foreign", "attribute"),
    fc.constantFrom(...CUTS).map((value) => ({ value })),
  ),
});

type Damage = typeof damage extends fc.Arbitrary<infer Value> ? Value : never;

test.skipIf(aeatFolder === undefined)("the message with everything is valid", async () => {
  expect(xsdErrors(EVERYTHING)).toEqual([]);
  expect((await aSandbox().send(EVERYTHING)).fault).toBeUndefined();
});

test.skipIf(aeatFolder === undefined)(
  "what the schemas refuse the tables refuse, and what breaks the form for one breaks it for the other",
  () => {
    fc.assert(
      fc.property(damage, (one) => {
        const xml = damaged(one);
        const isValid = xsdErrors(xml).length === 0;
        const refusal = refusalOf(xml);
        const breaksForm = refusal?.code === 4102 || refusal?.code === 4113;
        const isLeftToRules = LEFT_TO_RULES.test(LEAVES[one.leaf]?.text ?? "");
        expect({ one, ok: isValid || refusal !== undefined || isLeftToRules }).toEqual({ one, ok: true });
        expect({ one, ok: !(breaksForm && isValid) }).toEqual({ one, ok: true });
      }),
      { numRuns: 2_000, seed: 20_261_127 },
    );
  },
);

/** By the tables alone: form, then values. */
function refusalOf(xml: string): Refusal | undefined {
  const reading = readEnvelope("text/xml", new TextEncoder().encode(xml));
  if ("refusal" in reading) return reading.refusal;
  const problem = structureProblem(reading.message, SUBMISSION_MESSAGE);
  return problem ?? valueProblem(reading.message, SUBMISSION_MESSAGE);
}

function damaged({ leaf, with: how }: Damage): string {
  const { text = "", at = 0 } = LEAVES[leaf] ?? {};
  const next = LEAVES[leaf + 1] ?? { text: "", at: at + text.length };
  const rest = EVERYTHING.slice(at + text.length);
  const start = EVERYTHING.slice(0, at);
  if (typeof how === "object") return start + text.replace(/>[^<]*</, `>${how.value}<`) + rest;
  switch (how) {
    case "delete":
      return start + rest;
    case "double":
      return start + text + text + rest;
    case "swap":
      return start + next.text + EVERYTHING.slice(at + text.length, next.at) + text + afterwards(next);
    case "rename":
      return start + text.replace(/sf:(\w+)/g, "sf:$1x") + rest;
    case "wrap":
      return start + text.replace(/>([^<]*)</, "><sf:a>$1</sf:a><") + rest;
    case "foreign":
      return start + text.replace(/sf:/g, "lr:") + rest;
    default:
      return start + text.replace(">", ' a="1">') + rest;
  }
}

function afterwards({ text, at }: { readonly text: string; readonly at: number }): string {
  return EVERYTHING.slice(at + text.length);
}
