import { X509Certificate } from "node:crypto";
import * as asn1js from "asn1js";
import * as pkijs from "pkijs";
import { describe, expect, test } from "vitest";
import { certificateFrom } from "../../../src/domain/einvoice/facturae/certificate.ts";
import { base64Of } from "../../../src/domain/shared/base64.ts";
import { facturaeSigner, type SignerFault } from "../../../src/platform/facturae-signer.ts";
import { aHolder, type Holder } from "../../support/builders/certificates.ts";
import signerSecret from "../../support/einvoice/signer.json" with { type: "json" };

const NOW = Date.parse("2026-12-01T12:00:00Z");
const DAY_MS = 86_400_000;
const CN = "2.5.4.3";
const SERIAL = "2.5.4.5";
const ENTITY = "2.5.4.97";

describe("the name of an issuer", () => {
  test.each([
    ["a comma", "Prueba SL, Sociedad", "Prueba SL\\, Sociedad"],
    ["quotes and signs", `"a" + b; <c> \\ d = e`, `\\"a\\" \\+ b\\; \\<c\\> \\\\ d = e`],
    ["a number sign before it", "#1 Autoridad", "\\#1 Autoridad"],
    ["spaces at its ends", " Autoridad ", "\\ Autoridad\\ "],
    ["accents and an emoji", "Autoridad «Ñ» 🏺", "Autoridad «Ñ» 🏺"],
    ["a single space", " ", "\\ "],
  ])("escapes %s as RFC 4514 asks", async (_, name, written) => {
    const certificate = certificateFrom(derOf(await aHolder(NOW, undefined, { subject: { [CN]: name } })));
    expect(certificate.issuer).toBe(`CN=${written}`);
  });

  test("comes from its last part to its first, with the types that have no keyword in hexadecimal", async () => {
    const der = await namedBy([["2.5.4.6", "ES"]], [[ENTITY, "VATES-Q2826004J"]], [[CN, "AC"]]);
    const encoded = Buffer.from(new asn1js.Utf8String({ value: "VATES-Q2826004J" }).toBER()).toString("hex");
    expect(certificateFrom(der).issuer).toBe(`CN=AC,2.5.4.97=#${encoded},C=ES`);
  });

  test("is that of node:crypto, read backwards, when every type has a keyword", async () => {
    const parts: [string, string][] = [
      ["2.5.4.6", "ES"],
      ["2.5.4.8", "Madrid"],
      ["2.5.4.10", "Prueba"],
      ["2.5.4.11", "Área"],
      [CN, "Raíz"],
    ];
    const der = await namedBy(...parts.map((part) => [part]));
    const lines = new X509Certificate(der).issuer.split("\n").toReversed();
    expect(lines.length).toBe(parts.length);
    expect(certificateFrom(der).issuer).toBe(lines.join(","));
  });

  test("is the issuer's, not the subject's", async () => {
    const root = await aHolder(NOW, undefined, { subject: { [CN]: "Raíz" }, isAuthority: true });
    const der = derOf(await aHolder(NOW, root, { subject: { [CN]: "Hoja" } }));
    expect(certificateFrom(der).issuer).toBe("CN=Raíz");
  });

  test("joins the attributes of one part by a plus sign", async () => {
    const der = await namedBy([
      [CN, "Ana"],
      ["2.5.4.11", "Firma"],
    ]);
    expect(certificateFrom(der).issuer).toBe("CN=Ana+OU=Firma");
  });
});

describe("the serial number", () => {
  test.each([
    ["two bytes", "0102", "258"],
    ["a leading zero before a high bit", "00ff", "255"],
    [
      "twenty bytes",
      "5c3d8d96af3a903dd6f7c342f6e344d271a9497e",
      BigInt("0x5c3d8d96af3a903dd6f7c342f6e344d271a9497e").toString(),
    ],
  ])("of %s is written in decimal digits", async (_, hex, decimal) => {
    const serialNumber = new asn1js.Integer({ valueHex: new Uint8Array(Buffer.from(hex, "hex")).buffer });
    const der = derOf(await aHolder(NOW, undefined, { serialNumber }));
    expect(certificateFrom(der).serial).toBe(decimal);
  });
});

test.each([
  [
    "an entity and its representative",
    { [SERIAL]: "IDCES-12345678Z", [ENTITY]: "VATES-B58378431" },
    "B58378431",
  ],
  ["a person", { [SERIAL]: "IDCES-12345678Z" }, "12345678Z"],
  ["a bare NIF", { [SERIAL]: "12345678Z" }, "12345678Z"],
  ["a foreigner", { [SERIAL]: "IDCPT-12345678" }, undefined],
  ["neither", {}, undefined],
])("the NIF of a certificate that names %s", async (_, subject, nif) => {
  const der = derOf(await aHolder(NOW, undefined, { subject: { [CN]: "Prueba", ...subject } }));
  expect(certificateFrom(der).nif).toBe(nif);
});

test("validity is read from both forms of time", () => {
  const der = new Uint8Array(Buffer.from(signerSecret.chain.replace(/-----[^-]+-----/g, ""), "base64"));
  const { notBefore, notAfter } = certificateFrom(der);
  const told = new X509Certificate(signerSecret.chain);
  expect([notBefore, notAfter]).toEqual([Date.parse(told.validFrom), Date.parse(told.validTo)]);
});

test("bytes that are no certificate are refused", async () => {
  const der = derOf(await aHolder(NOW, undefined));
  const broken = [new Uint8Array(), der.slice(0, 50), new Uint8Array([0x30, 0x03, 0x02, 0x01, 0x01])];
  for (const bytes of broken) expect(() => certificateFrom(bytes)).toThrow();
});

describe("the signer of a deployment", () => {
  test.each([undefined, ""])("is none, without an alert, where the secret is %j", async (secret) => {
    expect(await opened(secret)).toEqual({ signer: undefined, faults: [] });
  });

  test("signs with the key of its first certificate", async () => {
    const { signer, faults } = await opened(JSON.stringify(signerSecret));
    expect(faults).toEqual([]);
    expect((await signer?.sign("texto"))?.length).toBe(256);
  });

  test("keeps the whole chain in its order", async () => {
    const root = await aHolder(NOW, undefined, { subject: { [CN]: "Raíz" }, isAuthority: true });
    const leaf = await aHolder(NOW, root, { subject: { [CN]: "Hoja" } });
    const { signer } = await opened(await secretOf(leaf, [leaf, root]));
    expect(signer?.chain.map(({ der }) => base64Of(der))).toEqual(
      [leaf, root].map((one) => base64Of(derOf(one))),
    );
  });

  const { key, chain } = signerSecret;
  test.each([
    ["no JSON", "FACTURAE"],
    ["a list", "[]"],
    ["no key", JSON.stringify({ chain })],
    ["no certificate", JSON.stringify({ key, chain: "" })],
    ["a key that is none", JSON.stringify({ key: chain, chain })],
    ["a key with a broken line", JSON.stringify({ key: key.replace("MII", "MI!"), chain })],
    [
      "a key in the older form",
      JSON.stringify({ key: key.replaceAll("PRIVATE KEY", "RSA PRIVATE KEY"), chain }),
    ],
    ["a certificate that is cut", JSON.stringify({ key, chain: chain.replace(/\n.{64}\n-/, "\n-") })],
  ])("with %s is malformed: files stay unsigned and the operator hears of it", async (_, secret) => {
    expect(await opened(secret)).toEqual({ signer: undefined, faults: ["malformed"] });
  });

  test("with the key of another certificate is malformed", async () => {
    const other = await aHolder(NOW, undefined);
    expect(await opened(JSON.stringify({ key, chain: pemOf(derOf(other)) }))).toMatchObject({
      faults: ["malformed"],
    });
  });

  test("with a key that is no RSA key is malformed", async () => {
    const holder = await aHolder(NOW, undefined, { keys: "ec" });
    expect(await opened(await secretOf(holder, [holder]))).toMatchObject({ faults: ["malformed"] });
  });

  test.each([
    ["has expired", { until: NOW - 1 }],
    ["is not yet valid", { from: NOW + DAY_MS, until: NOW + 2 * DAY_MS }],
  ])("whose certificate %s does not sign", async (_, validity) => {
    const holder = await aHolder(NOW, undefined, validity);
    const found = await opened(await secretOf(holder, [holder]));
    expect(found).toEqual({ signer: undefined, faults: ["out_of_date"] });
  });

  test("stops signing when its certificate expires, and says so for every file", async () => {
    const holder = await aHolder(NOW, undefined, { until: NOW + 1_000 });
    const faults: SignerFault[] = [];
    let now = NOW;
    const secret = await secretOf(holder, [holder]);
    const open = facturaeSigner(secret, { now: () => now, alert: (fault) => faults.push(fault) });
    expect(await open()).toBeDefined();
    now += 2_000;
    expect([await open(), await open()]).toEqual([undefined, undefined]);
    expect(faults).toEqual(["out_of_date", "out_of_date"]);
  });
});

async function opened(secret: string | undefined) {
  const faults: SignerFault[] = [];
  const signer = await facturaeSigner(secret, { now: () => NOW, alert: (fault) => faults.push(fault) })();
  return { signer, faults };
}

/** A certificate whose issuer has these parts, each of one attribute or more; its signature is not right. */
async function namedBy(
  ...parts: (readonly (readonly [string, string])[])[]
): Promise<Uint8Array<ArrayBuffer>> {
  const { certificate } = await aHolder(NOW, undefined);
  const value = parts.map((part) => new asn1js.Set({ value: part.map(attribute) }));
  certificate.issuer = pkijs.RelativeDistinguishedNames.fromBER(new asn1js.Sequence({ value }).toBER());
  return new Uint8Array(certificate.toSchema(true).toBER());
}

function attribute([type, value]: readonly [string, string]): asn1js.Sequence {
  return new asn1js.Sequence({
    value: [new asn1js.ObjectIdentifier({ value: type }), new asn1js.Utf8String({ value })],
  });
}

function derOf({ certificate }: Holder): Uint8Array<ArrayBuffer> {
  return new Uint8Array(certificate.toSchema().toBER());
}

async function secretOf(holder: Holder, chain: readonly Holder[]): Promise<string> {
  const key = await crypto.subtle.exportKey("pkcs8", holder.keys.privateKey);
  if (!(key instanceof ArrayBuffer)) throw new Error("PKCS#8 is bytes");
  return JSON.stringify({
    key: pemOf(new Uint8Array(key), "PRIVATE KEY"),
    chain: chain.map((one) => pemOf(derOf(one))).join(""),
  });
}

function pemOf(der: Uint8Array, label = "CERTIFICATE"): string {
  const lines = base64Of(der).match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join("\n")}\n-----END ${label}-----\n`;
}
