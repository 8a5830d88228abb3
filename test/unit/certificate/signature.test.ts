import { beforeAll, describe, expect, test } from "vitest";
import type { AskStatus } from "../../../src/console/company/certificate/revocation.ts";
import { signatureVerifier } from "../../../src/console/company/certificate/verify-signature.ts";
import { proofText } from "../../../src/domain/connection/company.ts";
import {
  aHolder,
  der,
  type Holder,
  type HolderOptions,
  RESPONDER,
  signed,
  status,
  TYPES,
  USAGE,
} from "../../support/builders/certificates.ts";

const NOW = Date.parse("2026-11-29T12:00:00Z");
const DAY_MS = 86_400_000;
const TEXT = proofText({ nonce: "n", accountId: "ac", nif: "B12345674", userId: "us" });
const ENTITY = {
  "2.5.4.3": "Ana Pérez (R: B12345674)",
  "2.5.4.5": "IDCES-12345678Z",
  "2.5.4.97": "VATES-B12345674",
};
const PERSON = { "2.5.4.3": "Ana Pérez", "2.5.4.5": "IDCES-12345678Z" };

let root: Holder;
let authority: Holder;
let entity: Holder;

beforeAll(async () => {
  root = await aHolder(NOW, undefined, { isAuthority: true });
  authority = await aHolder(NOW, root, { isAuthority: true });
  entity = await aHolder(NOW, authority, { isQualified: true, subject: ENTITY });
});

const saying =
  (of: () => Holder, options: Parameters<typeof status>[3] = {}): AskStatus =>
  async (url) =>
    url === RESPONDER ? status(of().certificate, authority, NOW, options) : undefined;

async function toldOf(
  signature: Uint8Array,
  { ask = saying(() => entity), text = TEXT, now = NOW, anchors = [root] } = {},
) {
  const verify = signatureVerifier({ anchors: anchors.map((one) => der(one.certificate)), askStatus: ask });
  const verified = await verify(signature, text, now);
  if (verified.ok) return verified.value.nif;
  const { reason } = verified.error.facts as { readonly reason: { readonly phrase: string } };
  return reason.phrase;
}

const along = () => [authority.certificate];
const byEntity = (options = {}) => signed(TEXT, entity, { along: along(), ...options });
const issued = (options: HolderOptions) =>
  aHolder(NOW, authority, { isQualified: true, subject: ENTITY, ...options });

describe("the NIF that a signature proves", () => {
  test("is the entity's where the certificate names one, enclosed or detached", async () => {
    expect(await toldOf(await byEntity())).toBe("B12345674");
    expect(await toldOf(await byEntity({ isDetached: true }))).toBe("B12345674");
  });

  test("is known where the trusted list names its issuer, with any issuer above it", async () => {
    expect(await toldOf(await byEntity({ along: [] }), { anchors: [authority] })).toBe("B12345674");
    const other = await aHolder(NOW, undefined, { isAuthority: true });
    expect(await toldOf(await byEntity({ along: [] }), { anchors: [other, root] })).toBe(
      "signature_untrusted",
    );
  });

  test("is the person's where it names none", async () => {
    const person = await issued({ subject: PERSON });
    const signature = await signed(TEXT, person, { along: along() });
    expect(await toldOf(signature, { ask: saying(() => person) })).toBe("12345678Z");
  });
});

describe("a certificate", () => {
  test.each<[string, HolderOptions]>([
    ["with a key of an elliptic curve", { keys: "ec" }],
    ["that signs with RSA-PSS", { keys: "pss" }],
    ["of a seal", { types: [TYPES.seal], usage: USAGE.signature }],
    ["of a signature that commits, and nothing else", { usage: USAGE.commitment }],
  ])("%s proves the NIF", async (_, options) => {
    const holder = await issued(options);
    const signature = await signed(TEXT, holder, { along: along() });
    expect(await toldOf(signature, { ask: saying(() => holder) })).toBe("B12345674");
  });
});

describe("a signature proves nothing", () => {
  test("that is none", async () => {
    for (const bytes of [
      new Uint8Array(),
      new Uint8Array([0x30, 0x00]),
      new TextEncoder().encode("%PDF-1.7"),
    ]) {
      expect(await toldOf(bytes)).toBe("signature_unreadable");
    }
  });

  test("over another text", async () => {
    expect(await toldOf(await byEntity(), { text: `${TEXT} ` })).toBe("signature_of_other_text");
    expect(await toldOf(await byEntity({ isDetached: true }), { text: `${TEXT} ` })).toBe("signature_broken");
  });

  test("that was changed, or names another certificate of the key", async () => {
    const changed = await byEntity();
    changed[changed.length - 3] = (changed.at(-3) ?? 0) ^ 1;
    expect(await toldOf(changed)).toBe("signature_broken");
    expect(await toldOf(await byEntity({ named: authority.certificate }))).toBe("signature_broken");
  });

  test("by a certificate of an untrusted issuer, and without any", async () => {
    const other = await aHolder(NOW, undefined, { isAuthority: true });
    expect(await toldOf(await byEntity(), { anchors: [other] })).toBe("signature_untrusted");
    expect(await toldOf(await byEntity(), { anchors: [] })).toBe("signature_untrusted");
    const own = await aHolder(NOW, undefined, { isQualified: true, subject: ENTITY });
    expect(await toldOf(await signed(TEXT, own))).toBe("signature_untrusted");
  });

  test("by a certificate without the right to issue", async () => {
    const below = await aHolder(NOW, entity, { isQualified: true, subject: ENTITY });
    const signature = await signed(TEXT, below, { along: [entity.certificate, ...along()] });
    expect(await toldOf(signature, { ask: saying(() => below) })).toBe("signature_untrusted");
  });

  test.each<[string, HolderOptions, string]>([
    ["that has expired", { until: NOW - 1 }, "signature_out_of_time"],
    ["that is not valid yet", { from: NOW + 60_000, until: NOW + DAY_MS }, "signature_out_of_time"],
    ["that is not qualified", { isQualified: false }, "signature_unqualified"],
    ["of a website", { types: [TYPES.website] }, "signature_unqualified"],
    ["of a website, too", { types: [TYPES.signature, TYPES.website] }, "signature_unqualified"],
    ["that does not say what for", { types: [] }, "signature_unqualified"],
    ["to encrypt with", { usage: USAGE.encipherment }, "signature_unqualified"],
    ["without a usage", { usage: null }, "signature_unqualified"],
    ["that signs SHA-1", { keys: "sha1Rsa" }, "signature_weak"],
    ["with a key of 1024 bits", { keys: "shortRsa" }, "signature_weak"],
    ["without a NIF", { subject: { "2.5.4.3": "B12345674" } }, "signature_without_nif"],
    ["with a NIF that is none", { subject: { "2.5.4.97": "VATES-B12345678" } }, "signature_without_nif"],
    ["of another country", { subject: { "2.5.4.97": "VATPT-123456789" } }, "signature_without_nif"],
    ["from an issuer without a responder", { hasResponder: false }, "signature_revocation_unknown"],
  ])("by a certificate %s", async (_, options, reason) => {
    const holder = await issued(options);
    const signature = await signed(TEXT, holder, { along: along() });
    expect(await toldOf(signature, { ask: saying(() => holder) })).toBe(reason);
  });
});

test("a certificate that its issuer signed with SHA-1 proves nothing", async () => {
  const old = await aHolder(NOW, root, { isAuthority: true, keys: "sha1Rsa" });
  const holder = await aHolder(NOW, old, { isQualified: true, subject: ENTITY });
  expect(await toldOf(await signed(TEXT, holder, { along: [old.certificate] }))).toBe("signature_weak");
});

describe("revocation", () => {
  test("counts", async () => {
    expect(await toldOf(await byEntity(), { ask: saying(() => entity, { status: "revoked" }) })).toBe(
      "signature_revoked",
    );
  });

  test.each<[string, () => AskStatus]>([
    ["no answer", () => async () => undefined],
    ["a fault", () => async () => Promise.reject(new Error("down"))],
    ["an answer that is none", () => async () => new Uint8Array([1, 2, 3])],
    ["unknown", () => saying(() => entity, { status: "unknown" })],
    ["an answer of yesterday", () => saying(() => entity, { at: NOW - DAY_MS })],
    ["an answer about another", () => saying(() => authority)],
  ])("that is not known is no proof: %s", async (_, ask) => {
    expect(await toldOf(await byEntity(), { ask: ask() })).toBe("signature_revocation_unknown");
  });

  test("is not believed of who was not certified to say it", async () => {
    const stranger = await aHolder(NOW, undefined, { isAuthority: true });
    expect(await toldOf(await byEntity(), { ask: saying(() => entity, { signer: stranger }) })).toBe(
      "signature_revocation_unknown",
    );
    const colleague = await issued({});
    expect(await toldOf(await byEntity(), { ask: saying(() => entity, { signer: colleague }) })).toBe(
      "signature_revocation_unknown",
    );
    const old = await aHolder(NOW, authority, { ocspSigning: true, keys: "sha1Rsa" });
    expect(await toldOf(await byEntity(), { ask: saying(() => entity, { signer: old }) })).toBe(
      "signature_revocation_unknown",
    );
    const responder = await aHolder(NOW, authority, { ocspSigning: true });
    expect(await toldOf(await byEntity(), { ask: saying(() => entity, { signer: responder }) })).toBe(
      "B12345674",
    );
  });
});
