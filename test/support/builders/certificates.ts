/** A trusted list of one issuer, its certificates, what they sign, and what its responder says of them. */

import * as asn1js from "asn1js";
import * as pkijs from "pkijs";

/** Kinds of key: each signs with its hash. */
const KEYS = {
  rsa: { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256", modulusLength: 2048 },
  shortRsa: { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256", modulusLength: 1024 },
  sha1Rsa: { name: "RSASSA-PKCS1-v1_5", hash: "SHA-1", modulusLength: 2048 },
  pss: { name: "RSA-PSS", hash: "SHA-256", modulusLength: 2048 },
  ec: { name: "ECDSA", namedCurve: "P-256" },
} as const;
/** Bits of the key usage. */
export const USAGE = { signature: 0x80, commitment: 0x40, encipherment: 0x20, certSign: 0x04 } as const;
export const TYPES = { signature: 1, seal: 2, website: 3 } as const;
const DAY_MS = 86_400_000;
export const RESPONDER = "http://ocsp.autoridad.example";

export interface Holder {
  readonly certificate: pkijs.Certificate;
  readonly keys: CryptoKeyPair;
}

export interface HolderOptions {
  readonly subject?: Readonly<Record<string, string>>;
  readonly isQualified?: boolean;
  readonly isAuthority?: boolean;
  readonly from?: number;
  readonly until?: number;
  readonly hasResponder?: boolean;
  readonly ocspSigning?: boolean;
  readonly keys?: keyof typeof KEYS | CryptoKeyPair;
  /** Undefined for those of its kind, null for no such extension. */
  readonly usage?: number | null;
  /** Statements of EN 319 412-5 next to QcCompliance. */
  readonly types?: readonly number[];
  /** The number of authorities allowed below. */
  readonly pathLength?: number;
  /** More extensions, each with an empty value. */
  readonly critical?: readonly string[];
  readonly serialNumber?: asn1js.Integer;
}

let serials = 1;

export async function aHolder(
  now: number,
  issuer: Holder | undefined,
  options: HolderOptions = {},
): Promise<Holder> {
  const keys = typeof options.keys === "object" ? options.keys : await aKeyPair(options.keys);
  const certificate = new pkijs.Certificate();
  certificate.version = 2;
  serials += 1;
  certificate.serialNumber = options.serialNumber ?? new asn1js.Integer({ value: serials });
  const subject = options.subject ?? { "2.5.4.3": `Autoridad ${serials}` };
  for (const [type, value] of Object.entries(subject)) {
    const text = new asn1js.Utf8String({ value });
    certificate.subject.typesAndValues.push(new pkijs.AttributeTypeAndValue({ type, value: text }));
  }
  const issuedBy = issuer?.certificate.subject ?? certificate.subject;
  certificate.issuer = pkijs.RelativeDistinguishedNames.fromBER(issuedBy.toSchema().toBER());
  certificate.notBefore.value = new Date(options.from ?? now - DAY_MS);
  certificate.notAfter.value = new Date(options.until ?? now + DAY_MS);
  await certificate.subjectPublicKeyInfo.importKey(keys.publicKey);
  certificate.extensions = extensionsOf(options);
  const { privateKey } = issuer?.keys ?? keys;
  await certificate.sign(privateKey, hashOf(privateKey));
  return { certificate: pkijs.Certificate.fromBER(certificate.toSchema(true).toBER()), keys };
}

export async function aKeyPair(kind: keyof typeof KEYS = "rsa"): Promise<CryptoKeyPair> {
  const algorithm = { ...KEYS[kind], publicExponent: new Uint8Array([1, 0, 1]) };
  return (await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"])) as CryptoKeyPair;
}

function hashOf({ algorithm }: CryptoKey): string {
  return "hash" in algorithm ? (algorithm.hash as { readonly name: string }).name : "SHA-256";
}

/** The same authority once more, issued by another one. */
export async function crossCertified(of: Holder, by: Holder): Promise<Holder> {
  const certificate = pkijs.Certificate.fromBER(der(of.certificate));
  serials += 1;
  certificate.serialNumber = new asn1js.Integer({ value: serials });
  certificate.issuer = pkijs.RelativeDistinguishedNames.fromBER(by.certificate.subject.toSchema().toBER());
  await certificate.sign(by.keys.privateKey, hashOf(by.keys.privateKey));
  return { certificate: pkijs.Certificate.fromBER(der(certificate)), keys: of.keys };
}

function extensionsOf(options: HolderOptions): pkijs.Extension[] {
  const { isQualified, isAuthority = false, hasResponder = true, ocspSigning, pathLength } = options;
  const constraints = new pkijs.BasicConstraints({
    cA: isAuthority,
    ...(pathLength === undefined ? {} : { pathLenConstraint: pathLength }),
  });
  const ofKind = isAuthority ? USAGE.certSign : USAGE.signature | USAGE.commitment;
  const { usage: bits = ofKind, types = [TYPES.signature], critical = [] } = options;
  const extension = (extnID: string, value: asn1js.BaseBlock, critical = false) =>
    new pkijs.Extension({ extnID, critical, extnValue: value.toBER() });
  const statements = new pkijs.QCStatements();
  const typeIds = types.map((type) => new asn1js.ObjectIdentifier({ value: `0.4.0.1862.1.6.${type}` }));
  statements.values = [
    new pkijs.QCStatement({ id: "0.4.0.1862.1.1" }),
    ...(types.length > 0
      ? [new pkijs.QCStatement({ id: "0.4.0.1862.1.6", type: new asn1js.Sequence({ value: typeIds }) })]
      : []),
  ];
  const access = new pkijs.InfoAccess({
    accessDescriptions: [
      new pkijs.AccessDescription({
        accessMethod: "1.3.6.1.5.5.7.48.1",
        accessLocation: new pkijs.GeneralName({ type: 6, value: RESPONDER }),
      }),
    ],
  });
  const usage = new pkijs.ExtKeyUsage({ keyPurposes: ["1.3.6.1.5.5.7.3.9"] });
  return [
    extension("2.5.29.19", constraints.toSchema(), true),
    ...(bits === null
      ? []
      : [extension("2.5.29.15", new asn1js.BitString({ valueHex: new Uint8Array([bits]).buffer }), true)]),
    ...critical.map((id) => extension(id, new asn1js.Null(), true)),
    ...(isQualified ? [extension("1.3.6.1.5.5.7.1.3", statements.toSchema())] : []),
    ...(hasResponder && !isAuthority ? [extension("1.3.6.1.5.5.7.1.1", access.toSchema())] : []),
    ...(ocspSigning ? [extension("2.5.29.37", usage.toSchema())] : []),
  ];
}

export interface SigningOptions {
  readonly isDetached?: boolean;
  /** The certificate in the signed attribute, and the enclosed ones. */
  readonly named?: pkijs.Certificate;
  readonly along?: readonly pkijs.Certificate[];
  /** All enclosed certificates, instead of the holder's own and the enclosed ones. */
  readonly enclosed?: readonly pkijs.Certificate[];
}

/** A CAdES-BES signature, as AutoFirma makes it. */
export async function signed(
  text: string,
  holder: Holder,
  options: SigningOptions = {},
): Promise<Uint8Array> {
  const content = new TextEncoder().encode(text);
  const digest = await crypto.subtle.digest(hashOf(holder.keys.privateKey), content);
  const named = options.named ?? holder.certificate;
  const hash = await crypto.subtle.digest("SHA-256", named.toSchema(true).toBER());
  const certId = new asn1js.Sequence({ value: [new asn1js.OctetString({ valueHex: hash })] });
  const signingCertificate = new asn1js.Sequence({ value: [new asn1js.Sequence({ value: [certId] })] });
  const attribute = (type: string, value: unknown) => new pkijs.Attribute({ type, values: [value] });
  const cms = new pkijs.SignedData({
    version: 1,
    encapContentInfo: new pkijs.EncapsulatedContentInfo({ eContentType: "1.2.840.113549.1.7.1" }),
    certificates: [...(options.enclosed ?? [holder.certificate, ...(options.along ?? [])])],
    signerInfos: [
      new pkijs.SignerInfo({
        version: 1,
        sid: new pkijs.IssuerAndSerialNumber({
          issuer: holder.certificate.issuer,
          serialNumber: holder.certificate.serialNumber,
        }),
        signedAttrs: new pkijs.SignedAndUnsignedAttributes({
          type: 0,
          attributes: [
            attribute("1.2.840.113549.1.9.3", new asn1js.ObjectIdentifier({ value: "1.2.840.113549.1.7.1" })),
            attribute("1.2.840.113549.1.9.4", new asn1js.OctetString({ valueHex: digest })),
            attribute("1.2.840.113549.1.9.16.2.47", signingCertificate),
          ],
        }),
      }),
    ],
  });
  if (!options.isDetached) {
    cms.encapContentInfo.eContent = new asn1js.OctetString({ valueHex: content.slice().buffer });
  }
  await cms.sign(holder.keys.privateKey, 0, hashOf(holder.keys.privateKey), content.slice().buffer);
  const info = new pkijs.ContentInfo({ contentType: "1.2.840.113549.1.7.2", content: cms.toSchema(true) });
  return new Uint8Array(info.toSchema().toBER());
}

export interface StatusOptions {
  readonly status?: "good" | "revoked" | "unknown";
  readonly signer?: Holder;
  readonly at?: number;
}

/** A responder's answer about a certificate. */
export async function status(
  of: pkijs.Certificate,
  issuer: Holder,
  now: number,
  { status: said = "good", signer = issuer, at = now }: StatusOptions = {},
): Promise<Uint8Array> {
  const certID = new pkijs.CertID();
  await certID.createForCertificate(of, { hashAlgorithm: "SHA-1", issuerCertificate: issuer.certificate });
  const tag = { good: 0, revoked: 1, unknown: 2 }[said];
  const certStatus =
    said === "revoked"
      ? new asn1js.Constructed({
          idBlock: { tagClass: 3, tagNumber: tag },
          value: [new asn1js.GeneralizedTime({ valueDate: new Date(now) })],
        })
      : new asn1js.Primitive({ idBlock: { tagClass: 3, tagNumber: tag } });
  const basic = new pkijs.BasicOCSPResponse();
  basic.tbsResponseData.responderID = signer.certificate.subject;
  basic.tbsResponseData.producedAt = new Date(at);
  basic.tbsResponseData.responses.push(
    new pkijs.SingleResponse({
      certID,
      certStatus,
      thisUpdate: new Date(at),
      nextUpdate: new Date(at + 3_600_000),
    }),
  );
  basic.certs = [signer.certificate];
  await basic.sign(signer.keys.privateKey, hashOf(signer.keys.privateKey));
  const response = new pkijs.OCSPResponse();
  response.responseStatus.valueBlock.valueDec = 0;
  response.responseBytes = new pkijs.ResponseBytes();
  response.responseBytes.responseType = "1.3.6.1.5.5.7.48.1.1";
  response.responseBytes.response = new asn1js.OctetString({ valueHex: basic.toSchema().toBER() });
  return new Uint8Array(response.toSchema().toBER());
}

export function der(certificate: pkijs.Certificate): Uint8Array {
  return new Uint8Array(certificate.toSchema(true).toBER());
}
