import type { Endpoint } from "../invoice/request.ts";
import type { ElectronicRecipient } from "./electronic-invoice.ts";

/** Electronic Address Scheme, the code list of EN 16931 for BT-34 and BT-49, as of the rules 1.3.16. */
const LISTED = (
  "0002 0007 0009 0037 0060 0088 0096 0097 0106 0130 0135 0142 0147 0151 0154 0158 0170 0177 0183 0184 " +
  "0188 0190 0191 0192 0193 0194 0195 0196 0198 0199 0200 0201 0202 0203 0204 0205 0208 0209 0210 0211 " +
  "0212 0213 0215 0216 0217 0218 0219 0220 0221 0225 0230 0235 0240 0242 0244 0245 0246 0248 9910 9913 " +
  "9914 9915 9918 9919 9920 9922 9923 9924 9925 9926 9927 9928 9929 9930 9931 9932 9933 9934 9935 9936 " +
  "9937 9938 9939 9940 9941 9942 9943 9944 9945 9946 9947 9948 9949 9950 9951 9952 9953 9957 9959 EM"
).split(" ");

/** Those of the list that are no addresses of the network Peppol (PEPPOL-EN16931-CL008, 2026.5). */
const NOT_IN_PEPPOL: ReadonlySet<string> = new Set(
  "0037 0147 0154 0158 0170 0177 0193 0194 0202 0203 0205 0212 0213 0215 0217 0219 0220 EM".split(" "),
);

const CODES: ReadonlySet<string> = new Set(LISTED);

/** A scheme that an endpoint may name: four digits, or EM for an e-mail. */
export function isEasCode(scheme: string): boolean {
  return CODES.has(scheme);
}

export function isPeppolScheme(scheme: string): boolean {
  return CODES.has(scheme) && !NOT_IN_PEPPOL.has(scheme);
}

/** EAS: a Spanish VAT number. */
const SPANISH_VAT = "9920";

export function spanishAddress(nif: string): Endpoint {
  return { scheme: SPANISH_VAT, id: `ES${nif}` };
}

/** BT-49: the address stated, if the list has its scheme, else that of a Spanish NIF. */
export function addressOfBuyer(
  recipient: ElectronicRecipient | undefined,
  isListed: (scheme: string) => boolean,
): Endpoint | undefined {
  const { endpoint, identifier } = recipient ?? {};
  if (endpoint && isListed(endpoint.scheme)) return endpoint;
  return identifier?.kind === "nif" ? spanishAddress(identifier.nif) : undefined;
}
