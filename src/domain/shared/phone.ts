const PHONE = /^\+?[\d(][\d\s().-]{3,28}\d$/;

/** A telephone number as people write it, without space around it; else undefined. */
export function phoneFrom(text: string): string | undefined {
  const phone = text.trim().replace(/\s+/g, " ");
  return PHONE.test(phone) ? phone : undefined;
}
