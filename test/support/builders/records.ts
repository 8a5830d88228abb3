import { headOf } from "../../../src/domain/verifactu/chain.ts";
import type {
  CancellationContent,
  RecordContent,
  RegistrationContent,
  SealedRecord,
  SoftwareSystem,
} from "../../../src/domain/verifactu/record.ts";
import { linkTo } from "../../../src/domain/verifactu/record.ts";
import { seal } from "../../../src/domain/verifactu/record-hash.ts";

export const A_SYSTEM: SoftwareSystem = {
  producerName: "PRODUCTOR FICTICIO SL",
  producerNif: "B12345674",
  name: "FacturaPrueba",
  code: "01",
  version: "1.0.0",
  installationNumber: "T-000042-20261127T090000Z",
  verifactuOnly: true,
  multipleIssuersPossible: true,
  multipleIssuers: false,
};

/** The F1 of the AEAT folder's first sample. */
export function aRegistration(change: Partial<RegistrationContent> = {}): RegistrationContent {
  return {
    kind: "ALTA",
    reference: "rec_0001",
    key: { issuerNif: "89890001K", number: "A-2026/0001", date: "27-11-2026" },
    chain: { first: true },
    system: A_SYSTEM,
    generatedAt: "2026-11-27T10:15:30+01:00",
    issuerName: "EMPRESA DE PRUEBA SL",
    invoiceType: "F1",
    description: "Servicios de consultoría",
    recipients: [{ name: "CLIENTE DE PRUEBA", nif: "89890002E" }],
    breakdown: [
      { tax: "01", regime: "01", qualification: "S1", rate: "21.00", base: "100.00", taxAmount: "21.00" },
    ],
    taxTotal: "21.00",
    total: "121.00",
    ...change,
  };
}

/** A registration without a recipient, as F2 and R5. */
export function anAnonymousRegistration(change: Partial<RegistrationContent>): RegistrationContent {
  const { recipients: _, ...content } = aRegistration(change);
  return content;
}

export function aCancellation(change: Partial<CancellationContent> = {}): CancellationContent {
  const { reference, key, chain, system, generatedAt } = aRegistration();
  return { kind: "ANULACION", reference, key, chain, system, generatedAt, ...change };
}

/** Seals contents one after the other; their own links are replaced. */
export function aChain(contents: readonly RecordContent[]): SealedRecord[] {
  const records: SealedRecord[] = [];
  for (const content of contents) {
    const last = records.at(-1);
    const chain = linkTo(last && headOf(last));
    records.push(seal({ ...content, chain }, records.length + 1));
  }
  return records;
}
