import type { AeatEnvironment } from "../domain/verifactu/qr-url.ts";

/** The certificate of a person or representative, or the seal of an entity. */
export type CertificateKind = "certificate" | "seal";

export interface EndpointChoice {
  readonly environment: AeatEnvironment;
  readonly certificate: CertificateKind;
  /** Another host that answers the same path: the sandbox, a relay. */
  readonly baseUrl?: string;
}

/** The ports of SistemaFacturacion.wsdl, service sfVerifactu. */
const HOSTS: Readonly<Record<AeatEnvironment, Readonly<Record<CertificateKind, string>>>> = {
  production: {
    certificate: "https://www1.agenciatributaria.gob.es",
    seal: "https://www10.agenciatributaria.gob.es",
  },
  test: { certificate: "https://prewww1.aeat.es", seal: "https://prewww10.aeat.es" },
};

const PATH = "/wlpl/TIKE-CONT/ws/SistemaFacturacion/VerifactuSOAP";

export function endpointOf({ environment, certificate, baseUrl }: EndpointChoice): string {
  return `${(baseUrl ?? HOSTS[environment][certificate]).replace(/\/+$/, "")}${PATH}`;
}
