/**
 * Letters of Spanish with a mark, as they are searched for without it. No more, because each is a nested call
 * in the database, and the parsers of older SQLite stop at a depth.
 */
const PLAIN: Readonly<Record<string, string>> = {
  ...{ a: "áàÁÀ", e: "éèÉÈ", i: "íÍ", o: "óòÓÒ", u: "úüÚÜ", n: "ñÑ", c: "çÇ" },
};

const PAIRS = Object.entries(PLAIN).flatMap(([plain, marked]) =>
  [...marked].map((one) => [one, plain] as const),
);

/** «GARCÍA» and «García» as «garcia». The database folds names in the same way (`customerKeySql`). */
export function customerKey(text: string): string {
  const lower = text.trim().replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  return PAIRS.reduce((folded, [marked, plain]) => folded.replaceAll(marked, plain), lower);
}

/** The key as an expression of SQLite, whose `lower` knows only the letters of ASCII. */
export function customerKeySql(expression: string): string {
  return PAIRS.reduce(
    (folded, [marked, plain]) => `replace(${folded}, '${marked}', '${plain}')`,
    `lower(trim(${expression}))`,
  );
}
