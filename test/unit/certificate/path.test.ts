/** Possible issuers of a certificate: the signer chooses everything that comes with a signature. */
import type { Certificate } from "pkijs";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { signatureVerifier } from "../../../src/console/company/certificate/verify-signature.ts";
import { proofText } from "../../../src/domain/connection/company.ts";
import {
  aHolder,
  aKeyPair,
  crossCertified,
  der,
  type Holder,
  type HolderOptions,
  type SigningOptions,
  signed,
  status,
  USAGE,
} from "../../support/builders/certificates.ts";

const NOW = Date.parse("2026-11-29T12:00:00Z");
const DAY_MS = 86_400_000;
const TEXT = proofText({ nonce: "n", accountId: "ac", nif: "B12345674", userId: "us" });
const VICTIM = { "2.5.4.3": "Ana Pérez (R: B12345674)", "2.5.4.97": "VATES-B12345674" };
const QUALIFIED = { isQualified: true, subject: VICTIM };
const AUTHORITY = { isAuthority: true };

let root: Holder;
let authority: Holder;

beforeAll(async () => {
  root = await aHolder(NOW, undefined, AUTHORITY);
  authority = await aHolder(NOW, root, AUTHORITY);
});

afterEach(() => {
  vi.restoreAllMocks();
});

interface Asked extends SigningOptions {
  readonly anchors?: readonly Holder[];
  /** The certificate that the responder calls good, and the responder's own certificate. */
  readonly good?: readonly [Certificate, Holder];
}

async function toldOf(holder: Holder, { anchors = [root], good, ...options }: Asked) {
  const signature = await signed(TEXT, holder, options);
  const [of, by] = good ?? [holder.certificate, authority];
  const verify = signatureVerifier({
    anchors: anchors.map((one) => der(one.certificate)),
    askStatus: () => status(of, by, NOW),
  });
  const checks = vi.spyOn(crypto.subtle, "verify");
  const verified = await verify(signature, TEXT, NOW);
  const told = { checks: checks.mock.calls.length };
  checks.mockRestore();
  if (verified.ok) return { ...told, is: verified.value.nif };
  const { reason } = verified.error.facts as { readonly reason: { readonly phrase: string } };
  return { ...told, is: reason.phrase };
}

describe("a self-made certificate proves nothing", () => {
  let somebody: Holder;
  let own: Holder;
  let forged: Holder;
  let named: Holder;
  let numbered: Holder;

  beforeAll(async () => {
    somebody = await aHolder(NOW, authority, {
      isQualified: true,
      subject: { "2.5.4.3": "Luis Gil", "2.5.4.5": "IDCES-12345678Z" },
    });
    const { serialNumber } = somebody.certificate;
    own = await aHolder(NOW, undefined, AUTHORITY);
    forged = await aHolder(NOW, own, { ...QUALIFIED, serialNumber });
    // The name of the authority, over a key that it never saw.
    const pretended = { certificate: authority.certificate, keys: own.keys };
    named = await aHolder(NOW, pretended, QUALIFIED);
    numbered = await aHolder(NOW, pretended, { ...QUALIFIED, serialNumber });
  });

  type Row = [string, () => Holder, () => readonly Holder[], string, (() => Holder)?];

  const ROWS: Row[] = [
    [
      "with itself and a genuine one of the same number",
      () => forged,
      () => [forged, forged, somebody],
      "signature_unreadable",
    ],
    [
      "with itself, the authority and a genuine one",
      () => forged,
      () => [forged, forged, authority, somebody],
      "signature_unreadable",
    ],
    ["with a genuine one", () => forged, () => [forged, authority, somebody], "signature_untrusted"],
    ["in front of it", () => forged, () => [somebody, authority, forged], "signature_untrusted"],
    ["with its own issuer", () => forged, () => [forged, own, authority, root], "signature_untrusted"],
    ["in the name of the authority", () => named, () => [named, authority, root], "signature_untrusted"],
    [
      "in the name and number of a genuine one",
      () => numbered,
      () => [numbered, authority],
      "signature_untrusted",
    ],
    [
      "in the name and number of a genuine one, which the signature means",
      () => numbered,
      () => [somebody, numbered, authority],
      "signature_unreadable",
      () => somebody,
    ],
    [
      "in the name and number of a genuine one, in front of it",
      () => numbered,
      () => [numbered, somebody, authority],
      "signature_unreadable",
      () => somebody,
    ],
    [
      "while the genuine one alone comes along",
      () => numbered,
      () => [somebody, authority],
      "signature_broken",
      () => somebody,
    ],
  ];

  test.each(ROWS)("%s", async (_, holder, enclosed, reason, meant = holder) => {
    for (const anchors of [[authority], [root], [root, authority]]) {
      const told = await toldOf(holder(), {
        enclosed: enclosed().map(({ certificate }) => certificate),
        named: meant().certificate,
        good: [somebody.certificate, authority],
        anchors,
      });
      expect(told.is).toBe(reason);
    }
  });

  test("that is genuine proves it by the same ways", async () => {
    for (const anchors of [[authority], [root], [root, authority]]) {
      const told = await toldOf(somebody, { along: [authority.certificate], anchors });
      expect(told.is).toBe("12345678Z");
    }
  });
});

describe("an issuer", () => {
  /** A signer below an authority that was made so, below the root. */
  async function below(options: HolderOptions, above = root) {
    const issuer = await aHolder(NOW, above, { ...AUTHORITY, ...options });
    const signer = await aHolder(NOW, issuer, QUALIFIED);
    return toldOf(signer, {
      along: [issuer.certificate],
      good: [signer.certificate, issuer],
      anchors: [above],
    });
  }

  test.each<[string, HolderOptions]>([
    ["a plain authority", {}],
    ["an authority that may issue to people alone", { pathLength: 0 }],
    ["an authority with a key of an elliptic curve", { keys: "ec" }],
    ["an authority with policies that have to be read", { critical: ["2.5.29.32"] }],
  ])("counts: %s", async (_, options) => {
    expect((await below(options)).is).toBe("B12345674");
  });

  test.each<[string, HolderOptions]>([
    ["no authority", { isAuthority: false }],
    ["an authority that may sign no certificates", { usage: USAGE.signature }],
    ["an authority that says nothing of its usage", { usage: null }],
    ["an authority of yesterday", { until: NOW - 1 }],
    ["an authority of tomorrow", { from: NOW + 60_000, until: NOW + DAY_MS }],
    ["an authority with a key of 1024 bits", { keys: "shortRsa" }],
    ["an authority with unknown critical limits", { critical: ["2.5.29.30"] }],
    ["an authority that says a thing twice", { critical: ["2.5.29.32", "2.5.29.32"] }],
  ])("counts for nothing: %s", async (_, options) => {
    expect((await below(options)).is).toBe("signature_untrusted");
  });

  test.each<[string, HolderOptions]>([
    ["is over", { until: NOW - 1 }],
    ["may have no other below it", { pathLength: 0 }],
    ["signs with SHA-1", { keys: "sha1Rsa" }],
    ["may sign no certificates", { usage: USAGE.signature }],
  ])("counts for nothing below an anchor that %s", async (_, options) => {
    const anchor = await aHolder(NOW, undefined, { ...AUTHORITY, ...options });
    expect((await below({}, anchor)).is).toBe("signature_untrusted");
  });

  test("counts below an anchor that may have one other below it", async () => {
    const anchor = await aHolder(NOW, undefined, { ...AUTHORITY, pathLength: 1 });
    expect((await below({}, anchor)).is).toBe("B12345674");
  });

  test("counts in any place, and next to others of its name", async () => {
    const signer = await aHolder(NOW, authority, QUALIFIED);
    const stranger = await aHolder(NOW, undefined, AUTHORITY);
    const crossed = await crossCertified(authority, stranger);
    const along = [root, stranger, crossed, authority].map(({ certificate }) => certificate);
    for (const enclosed of [
      [signer.certificate, ...along],
      [...along.toReversed(), signer.certificate],
    ]) {
      expect((await toldOf(signer, { enclosed })).is).toBe("B12345674");
    }
  });

  test("of a signer with an unknown critical extension counts for nothing", async () => {
    const signer = await aHolder(NOW, authority, { ...QUALIFIED, critical: ["1.2.3.4"] });
    expect((await toldOf(signer, { along: [authority.certificate] })).is).toBe("signature_untrusted");
  });
});

describe("the work on a signature", () => {
  let first: Holder;
  let second: Holder;
  let signer: Holder;

  beforeAll(async () => {
    first = await aHolder(NOW, undefined, AUTHORITY);
    second = await aHolder(NOW, first, AUTHORITY);
    signer = await aHolder(NOW, second, QUALIFIED);
  });

  test("ends where two authorities certify each other", async () => {
    const crossed = await crossCertified(first, second);
    const along = [second, crossed, first].map(({ certificate }) => certificate);
    // The signature, and the signer under the second.
    expect(await toldOf(signer, { along })).toEqual({ is: "signature_untrusted", checks: 2 });
  });

  test("ends at three certificates, however long the chain is", async () => {
    const third = await aHolder(NOW, second, AUTHORITY);
    const end = await aHolder(NOW, third, QUALIFIED);
    const along = [third, second].map(({ certificate }) => certificate);
    const far = await toldOf(end, { along, anchors: [first] });
    expect(far).toEqual({ is: "signature_untrusted", checks: 2 });
    // With the responder's word: under the issuer, and under its own certificate.
    const near = await toldOf(end, { along, anchors: [second], good: [end.certificate, third] });
    expect(near).toEqual({ is: "B12345674", checks: 4 });
  });

  test("is at most two checks for each certificate that comes along", async () => {
    const { privateKey, publicKey } = await aKeyPair("ec");
    const keys = { privateKey, publicKey };
    const subject = { "2.5.4.3": "Muchas" };
    // All of one name and key, and said to be issued by the root.
    const pretended = { certificate: root.certificate, keys };
    const many = await Promise.all(
      Array.from({ length: 5 }, () => aHolder(NOW, pretended, { ...AUTHORITY, keys, subject })),
    );
    const [one = root] = many;
    const end = await aHolder(NOW, one, QUALIFIED);
    const along = many.map(({ certificate }) => certificate);
    expect(await toldOf(end, { along })).toEqual({ is: "signature_untrusted", checks: 11 });
  });

  test("does not begin where more than six certificates come along, or one comes twice", async () => {
    const more = await Promise.all(
      Array.from({ length: 6 }, () => aHolder(NOW, authority, { ...AUTHORITY, keys: "ec" })),
    );
    const along = more.map(({ certificate }) => certificate);
    const refused = { is: "signature_unreadable", checks: 0 };
    expect(await toldOf(signer, { along })).toEqual(refused);
    expect(await toldOf(signer, { along: [second.certificate, second.certificate] })).toEqual(refused);
  });
});
