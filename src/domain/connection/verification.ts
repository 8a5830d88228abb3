/** The state of the proof that the company's NIF belongs to its user. */
export const VERIFICATIONS = ["unverified", "in_review", "verified", "contested"] as const;
export type Verification = (typeof VERIFICATIONS)[number];

/** A contested company is a verified one, with another company claiming the same NIF. */
export function isProven(verification: string): boolean {
  return verification === "verified" || verification === "contested";
}

/** An unknown text grants nothing. */
export function verificationOf(text: string): Verification {
  return VERIFICATIONS.find((one) => one === text) ?? "unverified";
}
