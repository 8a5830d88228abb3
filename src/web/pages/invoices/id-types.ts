/** Identifier types of list L7 of the AEAT that must be chosen: not a NIF, and not implied by the country. */
export const ID_TYPES = ["02", "03", "04", "05", "06", "07"] as const;
export type IdType = (typeof ID_TYPES)[number];
