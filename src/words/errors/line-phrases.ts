import type { PhraseCode } from "../../domain/shared/fact.ts";
import type { Bilingual } from "../language.ts";

/** Phrases of the lines and of what is attested about them. */
export const LINE_PHRASES = {
  other_taxes: { en: "other taxes", es: "otros impuestos" },
  one_stop_shop: { en: "the one-stop shop", es: "la ventanilla única" },
  one_stop_shop_sales: { en: "one-stop shop", es: "ventanilla única" },
  use_regime: { en: "use {regimes}", es: "usa {regimes}" },
  use_no_regime: { en: "send no regime", es: "no envíes regime" },
  use_regime_with: { en: "use it with {values}", es: "úsalo con {values}" },
  e7_e8_are_igic: {
    en: "use E1 to E6, since E7 and E8 are of IGIC alone (type_tax 03)",
    es: "usa E1 a E6, porque E7 y E8 son solo del IGIC (type_tax 03)",
  },
  identify_with_f1: {
    en: "use F1 with the recipient’s identifier",
    es: "usa F1 con el identificador del destinatario",
  },
  send_rate_0: {
    en: "send 0, or S1 if tax is charged",
    es: "envía 0, o S1 si repercutes el impuesto",
  },
  send_net_prices: {
    en: "send net prices, or S1 if tax is charged",
    es: "envía los precios sin impuesto, o S1 si lo repercutes",
  },
  remove_margin: {
    en: "remove it, or send regime 03 or 05 with S1",
    es: "quítalo o envía regime 03 o 05 con S1",
  },
  correct_without_margin: {
    en: "the invoice cited was issued without it: remove it, or rectify by substitution",
    es: "la factura citada se expidió sin él: quítalo o rectifica por sustitución",
  },
  use_rate: { en: "use one of these: {rates}", es: "usa uno de estos: {rates}" },
  use_one_stop_shop_rate: {
    en: "use one from 0 to 30 with at most two decimals",
    es: "usa uno de 0 a 30 con dos decimales como máximo",
  },
  use_two_decimals: {
    en: "use one with at most two decimals",
    es: "usa uno con dos decimales como máximo",
  },
  use_surcharge: { en: "use {surcharges} or remove it", es: "usa {surcharges} o quítalo" },
  remove_surcharge: { en: "remove it", es: "quítalo" },

  lines_missing: { en: "missing lines: {lines}", es: "líneas que faltan: {lines}" },
  lines_unknown: {
    en: "lines that the invoice does not have: {lines}",
    es: "líneas que no están en la factura: {lines}",
  },
  lines_repeated: { en: "repeated lines: {lines}", es: "líneas repetidas: {lines}" },
  line_without_id: { en: "no.\u00a0{line} (without line_id)", es: "n.º\u00a0{line} (sin line_id)" },
  attest_or_send_full: {
    en: "request a full invoice or add simplified_attestation covering every line",
    es: "pide una factura completa o añade simplified_attestation con todas sus líneas",
  },
  take_back_and_send_full: {
    en: "take it back whole with an R5 and issue a full invoice of the sale",
    es: "devuélvela entera con una R5 y emite una factura completa de la venta",
  },
  authorisation: { en: "number {number}, limit {limit}", es: "número {number}, límite {limit}" },
  no_authorisation: { en: "none", es: "ninguna" },
} as const satisfies Partial<Record<PhraseCode, Bilingual>>;
