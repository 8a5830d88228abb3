/** Identifiers that are neither a NIF nor told by their country, of list L7 of the AEAT. */
export const ID_TYPES = ["02", "03", "04", "05", "06", "07"] as const;
export type IdType = (typeof ID_TYPES)[number];
