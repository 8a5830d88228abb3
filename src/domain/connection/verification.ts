/** Whether the NIF of a company is known to be that of whoever speaks for it. */
export const VERIFICATIONS = ["unverified", "in_review", "verified", "contested"] as const;
export type Verification = (typeof VERIFICATIONS)[number];

/** A contested company is a verified one that somebody else proves to be. */
export function isProven(verification: string): boolean {
  return verification === "verified" || verification === "contested";
}

/** Whatever else stood there would grant nothing. */
export function verificationOf(text: string): Verification {
  return VERIFICATIONS.find((one) => one === text) ?? "unverified";
}
