/** The person's sessions, which other changes of their security end. */
export const SESSIONS = ["sessions"] as const;
