const NAMED: Readonly<Record<string, string>> = {
  amp: "&",
  apos: "'",
  copy: "©",
  deg: "°",
  euro: "€",
  gt: ">",
  hellip: "…",
  laquo: "«",
  ldquo: "“",
  lsquo: "‘",
  lt: "<",
  mdash: "—",
  nbsp: " ",
  ndash: "–",
  quot: '"',
  raquo: "»",
  rdquo: "”",
  reg: "®",
  rsquo: "’",
  times: "×",
  trade: "™",
};

const ENTITY = /&(?:#(\d{2,6})|#[xX]([0-9a-fA-F]{2,5})|([a-z]{2,6}));/g;

/** WordPress keeps names as HTML: `Talla &ndash; M`. Characters that cannot be printed stay as written. */
export function decoded(text: string | undefined): string | undefined {
  return text?.replace(ENTITY, (entity, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return Object.hasOwn(NAMED, name) ? (NAMED[name] ?? entity) : entity;
    const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
    const isPrintable = code >= 32 && code !== 127 && code <= 0xffff && !(code >= 128 && code < 160);
    const isCharacter = isPrintable && code < 0xfffe && !(code >= 0xd800 && code <= 0xdfff);
    return isCharacter ? String.fromCharCode(code) : entity;
  });
}
