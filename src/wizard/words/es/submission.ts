export const submission = {} as const;
