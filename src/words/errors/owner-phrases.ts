import type { PhraseCode } from "../../domain/shared/fact.ts";
import type { Bilingual } from "../language.ts";

/** Phrases of what only an owner is told. */
export const OWNER_PHRASES = {
  issuer_name: { en: "the name of your company", es: "el nombre de tu empresa" },
  description_text: { en: "the description", es: "la descripción" },
  recipient_name: { en: "the customer’s name", es: "el nombre del cliente" },
  rectify_by_substitution: {
    en: "rectify the invoice by substitution, with the right recipient",
    es: "rectifica la factura por sustitución, con el destinatario correcto",
  },
  reverse_through_order: {
    en:
      "have the shop cancel the order, which takes the invoice back, and send a new one with the right " +
      "client",
    es: "cancela el pedido en la tienda, lo que rectifica la factura, y envía otro con el cliente correcto",
  },
  rates_not_in_force: {
    en: "some rate of the invoice was not in force on that day",
    es: "ese día no estaba vigente alguno de los tipos de la factura",
  },
  foral_territory: {
    en: "its registered address is in {province}, a foral territory",
    es: "su domicilio fiscal está en {province}, que es territorio foral",
  },
  signature_unreadable: {
    en: "The file is no CAdES signature",
    es: "El archivo no es una firma CAdES",
  },
  signature_of_other_text: {
    en: "Another text was signed",
    es: "Se ha firmado otro texto",
  },
  signature_broken: {
    en: "The signature does not verify",
    es: "La firma no es correcta",
  },
  signature_weak: {
    en: "The certificate or the signature uses SHA-1 or a short key, where SHA-256 and 2048 bits are wanted",
    es: "El certificado o la firma usan SHA-1 o una clave corta: hacen falta SHA-256 y 2048 bits",
  },
  signature_untrusted: {
    en: "The certificate is of no issuer of the Spanish trusted list",
    es: "El certificado no es de un prestador de la lista de confianza española",
  },
  signature_out_of_time: {
    en: "The certificate has expired or is not valid yet",
    es: "El certificado ha caducado o aún no es válido",
  },
  signature_unqualified: {
    en: "The certificate is not a qualified one for signatures or seals",
    es: "El certificado no es cualificado de firma o de sello",
  },
  signature_revoked: {
    en: "The certificate is revoked",
    es: "El certificado está revocado",
  },
  signature_revocation_unknown: {
    en: "Its issuer did not say whether the certificate is revoked, so it does not count now",
    es: "Su prestador no ha dicho si el certificado está revocado y por eso ahora no vale",
  },
  signature_without_nif: {
    en: "The certificate names no NIF",
    es: "El certificado no lleva ningún NIF",
  },
  signature_of_another: {
    en: "The certificate is of {nif} and not of this company",
    es: "El certificado es de {nif} y no de esta empresa",
  },
  quota_companies: {
    en: "You have {most} companies that are not verified; verify one of them before you open another",
    es: "Tienes {most} empresas sin verificar; verifica alguna antes de abrir otra",
  },
  quota_companies_day: {
    en: "You have opened {most} companies within a day; open the next one later",
    es: "Ya son {most} empresas abiertas en un día; abre la siguiente más tarde",
  },
  quota_connections: {
    en: "The company has {most} connections, and there may be no more; use one of them",
    es: "La empresa tiene {most} conexiones y no puede haber más; usa una de ellas",
  },
  quota_connections_for_tests: {
    en: "The company has {most} connections for tests; use one of them, or verify the company",
    es: "La empresa tiene {most} conexiones de pruebas; usa una de ellas o verifica la empresa",
  },
  quota_invitations_hour: {
    en: "You have sent {most} invitations within an hour; send the next one later",
    es: "Ya son {most} invitaciones en una hora; envía la siguiente más tarde",
  },
  quota_invitations_day: {
    en: "You have sent {most} invitations within a day; send the next one later",
    es: "Ya son {most} invitaciones en un día; envía la siguiente más tarde",
  },
  quota_open_invitations: {
    en:
      "The company is not verified and has {most} open invitations; withdraw one of them, or verify the " +
      "company",
    es:
      "La empresa está sin verificar y tiene {most} invitaciones abiertas; retira alguna o verifica la " +
      "empresa",
  },
  quota_receiver_day: {
    en: "That address was sent {most} invitations within a day; invite it again later",
    es: "A esa dirección se le han enviado {most} invitaciones en un día; invítala más tarde",
  },
  quota_proof_texts: {
    en: "You have asked for {most} texts to sign within a day; sign the last one, or ask again later",
    es: "Ya son {most} textos pedidos en un día; firma el último o pide otro más tarde",
  },
  quota_proofs: {
    en: "You have shown {most} proofs within a day; show another one later",
    es: "Ya son {most} acreditaciones enviadas en un día; envía otra más tarde",
  },
  books_in_sii: {
    en: "the company keeps its VAT books through the SII",
    es: "la empresa lleva los libros de IVA por el SII",
  },
} as const satisfies Partial<Record<PhraseCode, Bilingual>>;
