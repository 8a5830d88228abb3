import { describe, expect, test } from "vitest";
import { sha256Hex } from "../../../src/domain/shared/hash.ts";
import { SIGNED_AT, SIGNED_SHA256, signed } from "../../support/einvoice/signed-sample.ts";
import signerSecret from "../../support/einvoice/signer.json" with { type: "json" };
import { verified, xmlsecPath } from "../../support/einvoice/xmlsec.ts";

describe.skipIf(xmlsecPath === undefined)("xmlsec1", () => {
  test("finds the three references and the signature right", async () => {
    expect(verified(await signed("Azulejo"), signerSecret.chain)).toEqual({
      isValid: true,
      references: "3/3",
    });
  });

  test.each([
    ["markup", "Pérez & Hijos <SL> \"comillas\" 'x' ]]>"],
    ["accents and quotes", "«Rebalaje», ñandú, Açaí, ß"],
    ["a character outside the basic plane", "Taza 🏺 de gres"],
    ["a carriage return, a line feed and a tab", "una\r\ndos\rtres\tcuatro"],
    ["a combining mark as it was sent", "n\u0303 y e\u0301"],
    ["spaces at its ends", "  dentro  "],
  ])("verifies a file whose text has %s", async (_, text) => {
    expect(verified(await signed(text), signerSecret.chain)).toEqual({ isValid: true, references: "3/3" });
  });

  test.each([
    ["an amount", (xml: string) => xml.replace(">12.10<", ">12.11<")],
    ["the time of signature", (xml: string) => xml.replace(SIGNED_AT, "2026-12-01T13:00:01+01:00")],
    ["the role", (xml: string) => xml.replace(">supplier<", ">third party<")],
    ["the certificate", (xml: string) => xml.replace("<ds:X509Certificate>MII", "<ds:X509Certificate>MIJ")],
    ["the policy", (xml: string) => xml.replace("FacturaE v3.1<", "FacturaE v3.0<")],
  ])("refuses a file in which %s was changed", async (_, change) => {
    const xml = await signed("Azulejo");
    expect(change(xml)).not.toBe(xml);
    expect(verified(change(xml), signerSecret.chain).isValid).toBe(false);
  });
});

test("the signature names issuer and serial as RFC 4514 and decimals, and its policy", async () => {
  const xml = await signed("Azulejo");
  expect(xml).toContain("<ds:X509IssuerName>CN=Prueba,O=Prueba SL\\, Sociedad,C=ES</ds:X509IssuerName>");
  expect(xml).toContain(
    "<ds:X509SerialNumber>526599830480493998623215064895305443240416201086</ds:X509SerialNumber>",
  );
  expect(xml).toContain("<ds:DigestValue>Ohixl6upD6av8N7pEvDABhEL6hM=</ds:DigestValue>");
});

test("the same file signed at the same time has the bytes that it has in workerd", async () => {
  expect(sha256Hex(await signed("Azulejo"))).toBe(SIGNED_SHA256);
});
