import { branch, leaf, type Markup, type Namespaces } from "./element.ts";
import { SOAP_NAMESPACE } from "./namespaces.ts";

/** A SOAP 1.1 message. A second XML declaration would be fault 102. */
export function envelopeXml(request: Markup, namespaces: Namespaces): string {
  const envelope = branch(
    "soapenv:Envelope",
    [branch("soapenv:Header", []), branch("soapenv:Body", [request])],
    { soapenv: SOAP_NAMESPACE, ...namespaces },
  );
  return `<?xml version="1.0" encoding="UTF-8"?>${envelope}`;
}

/** ObligadoEmision: name and NIF must be a pair of the census (4104). */
export function issuerXml(issuer: { readonly issuerName: string; readonly issuerNif: string }): Markup {
  return branch("sf:ObligadoEmision", [
    leaf("sf:NombreRazon", issuer.issuerName),
    leaf("sf:NIF", issuer.issuerNif),
  ]);
}
