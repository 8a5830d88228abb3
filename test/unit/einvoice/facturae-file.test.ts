/** One file of an invoice: signed once, unsigned where it must be, and never missing. */
import { describe, expect, test } from "vitest";
import { electronicInvoiceOf } from "../../../src/domain/einvoice/view.ts";
import {
  type FacturaeDeps,
  type FacturaeFault,
  type FacturaeFile,
  facturaeFiles,
} from "../../../src/platform/facturae-file.ts";
import { issued, SOFTWARE } from "../../support/builders/direct-invoicing.ts";
import { aRequest } from "../../support/builders/requests.ts";
import { facturaeErrors, textsAt } from "../../support/einvoice/facturae-file.ts";
import { rulesFolder } from "../../support/einvoice/rules.ts";
import signerSecret from "../../support/einvoice/signer.json" with { type: "json" };
import { verified, xmlsecPath } from "../../support/einvoice/xmlsec.ts";

const NOON = Date.parse("2026-12-01T12:00:00Z");
const SECRET = JSON.stringify(signerSecret);
const INVOICE = electronicInvoiceOf(issued(aRequest("a", { description: "Taza «Ñ» & plato 🏺" })));
const DOWN = async () => {
  throw new Error("R2 is down");
};

test("without a signer the file is unsigned and by the issuer, and nothing is kept", async () => {
  const { make, kept, faults } = files({ signer: undefined });
  const file = await make();
  expect(file.signature).toBe("none");
  expect(textOf(file)).toMatch(/^<\?xml version="1.0" encoding="UTF-8"\?>\n<fe:Facturae /);
  expect(textsAt(textOf(file), "InvoiceIssuerType")).toEqual(["EM"]);
  expect([kept.size, faults]).toEqual([0, []]);
});

test("with the signature the file is valid by its schema", async () => {
  const file = textOf(await files().make());
  if (rulesFolder !== undefined) expect(facturaeErrors(file)).toEqual([]);
  expect(textsAt(file, "*[local-name()='SigningTime']")).toEqual(["2026-12-01T13:00:00+01:00"]);
});

test.skipIf(xmlsecPath === undefined)("xmlsec1 verifies the whole file, and no changed amount", async () => {
  const file = textOf(await files().make());
  expect(verified(file, signerSecret.chain)).toEqual({ isValid: true, references: "3/3" });
  const changed = file.replace("<InvoiceTotal>121.00<", "<InvoiceTotal>121.01<");
  expect(changed).not.toBe(file);
  expect(verified(changed, signerSecret.chain).isValid).toBe(false);
});

test("a certificate that is not the issuer's signs as the producer, a third party", async () => {
  const file = textOf(await files().make());
  expect(textsAt(file, "InvoiceIssuerType")).toEqual(["TE"]);
  expect(textsAt(file, "ThirdParty//CorporateName")).toEqual([SOFTWARE.producerName]);
  expect(textsAt(file, "*[local-name()='ClaimedRole']")).toEqual(["third party"]);
});

test("without an address of the producer a third party does not sign", async () => {
  const software = { ...SOFTWARE, producerAddress: "Apartado de correos 7" };
  const { make, faults } = files({ software });
  expect((await make()).signature).toBe("none");
  expect(faults).toEqual(["producer_address"]);
});

describe("a file that was signed", () => {
  test("is given again byte for byte, with another time on the clock", async () => {
    const { make, later } = files();
    const first = await make();
    later(86_400_000);
    expect(await make()).toEqual(first);
  });

  test("is given again after its certificate expired or the secret was removed", async () => {
    const { make, deps, kept } = files();
    const first = await make();
    const without = facturaeFiles({ ...deps, signer: undefined });
    expect(kept.size).toBe(1);
    expect(await without({ invoiceId: "iv1", invoice: INVOICE })).toEqual(first);
  });

  test("with the PDF is another file than without", async () => {
    const { make, kept } = files();
    const [plain, withPdf] = [await make(), await make(async () => new TextEncoder().encode("%PDF-"))];
    expect(textsAt(textOf(plain), "AttachmentData")).toEqual([]);
    expect(textsAt(textOf(withPdf), "AttachmentData")).toEqual(["JVBERi0="]);
    expect(kept.size).toBe(2);
  });

  test("renders no PDF again", async () => {
    const { make } = files();
    await make(async () => new TextEncoder().encode("%PDF-"));
    await expect(make(DOWN)).resolves.toMatchObject({ signature: "xades-epes" });
  });

  test("at once by two requests is one: both get the file that was kept", async () => {
    const { make, later, kept } = files();
    const slow = make();
    later(5_000);
    const [one, other] = await Promise.all([slow, make()]);
    expect(one).toEqual(other);
    expect(kept.size).toBe(1);
  });
});

describe("while the store is down", () => {
  test("the file is signed anew, and the operator hears that it was not kept", async () => {
    const { make, faults, later } = files({ kept: { read: DOWN, keepFirst: DOWN } });
    const first = textOf(await make());
    later(1_000);
    const second = textOf(await make());
    expect(second).not.toBe(first);
    expect(withoutSignature(second)).toBe(withoutSignature(first));
    expect(faults).toEqual(["not_kept", "not_kept"]);
  });

  test("an unsigned file needs no store", async () => {
    const { make, faults } = files({ signer: undefined, kept: { read: DOWN, keepFirst: DOWN } });
    expect((await make()).signature).toBe("none");
    expect(faults).toEqual([]);
  });
});

test("a broken signer leaves the file unsigned", async () => {
  const { make, faults, kept } = files({ signer: "{}" });
  expect((await make()).signature).toBe("none");
  expect([faults, kept.size]).toEqual([["malformed"], 0]);
});

function files(change: Partial<FacturaeDeps> = {}) {
  const kept = new Map<string, Uint8Array<ArrayBuffer>>();
  const faults: FacturaeFault[] = [];
  let now = NOON;
  const nameOf = (name: object) => JSON.stringify(name);
  const deps: FacturaeDeps = {
    signer: SECRET,
    software: SOFTWARE,
    kept: {
      read: async (name) => kept.get(nameOf(name)),
      keepFirst: async (name, bytes) => {
        if (kept.has(nameOf(name))) return false;
        kept.set(nameOf(name), bytes.slice());
        return true;
      },
    },
    now: () => now,
    alert: (fault) => faults.push(fault),
    ...change,
  };
  const makeFile = facturaeFiles(deps);
  return {
    ...{ deps, kept, faults },
    make: (pdf?: () => Promise<Uint8Array>) =>
      makeFile({ invoiceId: "iv1", invoice: INVOICE, ...(pdf ? { pdf } : {}) }),
    later: (milliseconds: number) => {
      now += milliseconds;
    },
  };
}

function textOf({ bytes }: FacturaeFile): string {
  return new TextDecoder().decode(bytes);
}

function withoutSignature(file: string): string {
  return file.replace(/<ds:Signature .*<\/ds:Signature>/s, "");
}
