/** Enough of XML to read what the product writes: no attributes inside records, no comments, no CDATA. */

/** The first element of the name, whole. */
export function element(xml: string, name: string): string | undefined {
  return new RegExp(`<sf(?:LR)?:${name}>.*?</sf(?:LR)?:${name}>`, "s").exec(xml)?.[0];
}

/** The content of each element with the name. */
export function inner(xml: string, name: string): string[] {
  return [...xml.matchAll(new RegExp(`<sf(?:LR)?:${name}>(.*?)</sf(?:LR)?:${name}>`, "gs"))].map(
    ([, text = ""]) => text,
  );
}

/** The texts of elements of the name that have nothing but text, unescaped. */
export function texts(xml: string, name: string): string[] {
  return inner(xml, name).map((text) =>
    text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&"),
  );
}
