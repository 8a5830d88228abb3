/** Special regimes that an invoice names (article 6.1 RD 1619/2012), by ClaveRegimen of IVA and IGIC. */
export const SPECIAL_REGIMES = {
  "03": "Régimen especial de los bienes usados, objetos de arte, antigüedades y objetos de colección",
  "05": "Régimen especial de las agencias de viajes",
  "07": "Régimen especial del criterio de caja",
} as const;

export type SpecialRegime = keyof typeof SPECIAL_REGIMES;

export function specialRegimeOf({
  tax,
  regime = "",
}: {
  readonly tax: string;
  readonly regime?: string;
}): SpecialRegime | undefined {
  if (tax !== "01" && tax !== "03") return undefined;
  return regime === "03" || regime === "05" || regime === "07" ? regime : undefined;
}
