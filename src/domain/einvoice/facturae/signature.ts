import { sha256 } from "@noble/hashes/sha2.js";
import { base64Of } from "../../shared/base64.ts";
import {
  type Attributes,
  appended,
  declaring,
  element,
  leaf,
  type Markup,
  type Namespaces,
} from "../../verifactu/xml/element.ts";
import type { SigningCertificate } from "./certificate.ts";

/** In the order of their prefixes, as Canonical XML has them; the root of a file declares them all. */
export const NAMESPACES: Namespaces = {
  ds: "http://www.w3.org/2000/09/xmldsig#",
  fe: "http://www.facturae.gob.es/formato/Versiones/Facturaev3_2_2.xml",
  xades: "http://uri.etsi.org/01903/v1.3.2#",
};

const CANONICAL_XML = "http://www.w3.org/TR/2001/REC-xml-c14n-20010315";
const RSA_SHA256 = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256";
const ENVELOPED = "http://www.w3.org/2000/09/xmldsig#enveloped-signature";
const SHA256 = "http://www.w3.org/2001/04/xmlenc#sha256";
const SHA1 = "http://www.w3.org/2000/09/xmldsig#sha1";

/** Policy 3.1 of Facturae, with the hash that its publisher gives. */
const POLICY = {
  identifier:
    "http://www.facturae.es/politica_de_firma_formato_facturae/politica_de_firma_formato_facturae_v3_1.pdf",
  description: "Política de Firma FacturaE v3.1",
  sha1: "Ohixl6upD6av8N7pEvDABhEL6hM=",
};

const SIGNATURE_ID = "Signature";
const PROPERTIES_ID = "SignedProperties";
const KEY_ID = "KeyInfo";
const DOCUMENT_ID = "Document";

/** Who signs: the issuer itself, or another in its name. */
export type SignerRole = "supplier" | "third party";

export interface SigningFacts {
  /** The root of the file, in canonical form and without signature. */
  readonly document: Markup;
  /** ISO 8601 with offset. */
  readonly signedAt: string;
  /** The signer's own certificate comes first. */
  readonly chain: readonly [SigningCertificate, ...SigningCertificate[]];
  readonly role: SignerRole;
}

/** A signature that lacks only its value. */
export interface PreparedSignature {
  /** The bytes that the key signs, with RSASSA-PKCS1-v1_5 and SHA-256. */
  readonly toSign: string;
  /** The file with the signature in it. */
  readonly signedWith: (signature: Uint8Array) => Markup;
}

/**
 * XAdES-EPES, enveloped (ETSI TS 101 903 v1.3.2). Nothing is parsed: every element is written in the form in
 * which a verifier will hash it.
 */
export function prepareSignature({ document, ...facts }: SigningFacts): PreparedSignature {
  const properties = signedProperties(facts);
  const key = element("ds:KeyInfo", { Id: KEY_ID }, [
    element(
      "ds:X509Data",
      {},
      facts.chain.map(({ der }) => leaf("ds:X509Certificate", base64Of(der))),
    ),
  ]);
  const info = signedInfo({ document, properties, key });
  return {
    toSign: asPart(info),
    signedWith: (signature) => {
      const content = [info, leaf("ds:SignatureValue", base64Of(signature)), key, objectOf(properties)];
      return appended(document, element("ds:Signature", { Id: SIGNATURE_ID }, content));
    },
  };
}

/**
 * Inclusive canonicalisation of a part repeats every namespace in scope on its first element; in the file
 * the root alone declares them.
 */
function asPart(part: Markup): Markup {
  return declaring(part, NAMESPACES);
}

function signedInfo(signed: Readonly<Record<"document" | "properties" | "key", Markup>>): Markup {
  const { document, properties, key } = signed;
  const typed = { Type: "http://uri.etsi.org/01903#SignedProperties", URI: `#${PROPERTIES_ID}` };
  return element("ds:SignedInfo", {}, [
    algorithm("ds:CanonicalizationMethod", CANONICAL_XML),
    algorithm("ds:SignatureMethod", RSA_SHA256),
    reference({ Id: DOCUMENT_ID, URI: "" }, document, [
      element("ds:Transforms", {}, [algorithm("ds:Transform", ENVELOPED)]),
    ]),
    reference(typed, asPart(properties)),
    reference({ URI: `#${KEY_ID}` }, asPart(key)),
  ]);
}

function reference(attributes: Attributes, hashed: Markup, transforms: readonly Markup[] = []): Markup {
  const digest = sha256(new TextEncoder().encode(hashed));
  return element("ds:Reference", attributes, [...transforms, ...digestOf(SHA256, base64Of(digest))]);
}

function digestOf(method: string, digest: string): Markup[] {
  return [algorithm("ds:DigestMethod", method), leaf("ds:DigestValue", digest)];
}

function algorithm(name: string, uri: string): Markup {
  return element(name, { Algorithm: uri });
}

function signedProperties({ signedAt, chain, role }: Omit<SigningFacts, "document">): Markup {
  const [own] = chain;
  return element("xades:SignedProperties", { Id: PROPERTIES_ID }, [
    element("xades:SignedSignatureProperties", {}, [
      leaf("xades:SigningTime", signedAt),
      element("xades:SigningCertificate", {}, [certificateOf(own)]),
      policy(),
      element("xades:SignerRole", {}, [element("xades:ClaimedRoles", {}, [leaf("xades:ClaimedRole", role)])]),
    ]),
    element("xades:SignedDataObjectProperties", {}, [
      element("xades:DataObjectFormat", { ObjectReference: `#${DOCUMENT_ID}` }, [
        leaf("xades:Description", "Factura electrónica"),
        leaf("xades:MimeType", "text/xml"),
      ]),
    ]),
  ]);
}

function certificateOf({ der, issuer, serial }: SigningCertificate): Markup {
  return element("xades:Cert", {}, [
    element("xades:CertDigest", {}, digestOf(SHA256, base64Of(sha256(der)))),
    element("xades:IssuerSerial", {}, [
      leaf("ds:X509IssuerName", issuer),
      leaf("ds:X509SerialNumber", serial),
    ]),
  ]);
}

function policy(): Markup {
  return element("xades:SignaturePolicyIdentifier", {}, [
    element("xades:SignaturePolicyId", {}, [
      element("xades:SigPolicyId", {}, [
        leaf("xades:Identifier", POLICY.identifier),
        leaf("xades:Description", POLICY.description),
      ]),
      element("xades:SigPolicyHash", {}, digestOf(SHA1, POLICY.sha1)),
    ]),
  ]);
}

function objectOf(properties: Markup): Markup {
  return element("ds:Object", {}, [
    element("xades:QualifyingProperties", { Target: `#${SIGNATURE_ID}` }, [properties]),
  ]);
}
