/** A small document, signed with the certificate of the tests; Node and workerd must give the same bytes. */
import { NAMESPACES, prepareSignature } from "../../../src/domain/einvoice/facturae/signature.ts";
import { declaring, element, leaf, type Markup } from "../../../src/domain/verifactu/xml/element.ts";
import { facturaeSigner } from "../../../src/platform/facturae-signer.ts";
import signerSecret from "./signer.json" with { type: "json" };

export const SIGNED_AT = "2026-12-01T13:00:00+01:00";

/** Of the sample with the text `Azulejo`. */
export const SIGNED_SHA256 = "21f4c17771015743d46b9ce22c60e4f3943b1bfffe36029f85fb9ca5e66d3da8";

export async function signed(text: string): Promise<string> {
  const now = () => Date.parse(SIGNED_AT);
  const signer = await facturaeSigner(JSON.stringify(signerSecret), { now, alert: () => undefined })();
  if (!signer) throw new Error("the signer of the tests is not read");
  const facts = { document: aDocument(text), signedAt: SIGNED_AT, chain: signer.chain };
  const prepared = prepareSignature({ ...facts, role: "supplier" });
  return prepared.signedWith(await signer.sign(prepared.toSign));
}

function aDocument(text: string): Markup {
  const content = [leaf("Description", text), leaf("Amount", "12.10"), element("Empty", {})];
  return declaring(element("fe:Facturae", {}, content), NAMESPACES);
}
