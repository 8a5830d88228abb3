import { describe, expect, test } from "vitest";
import { isTypedName, mailedName } from "../../../src/domain/shared/typed-name.ts";

describe("a typed name", () => {
  test.each([
    "María Ferrer",
    "Comercial del Norte SL",
    "Comercial del Norte, S.L.",
    "Pérez e Hijos, S.L.U.",
    "J. M. Pérez",
    "J.M. Pérez",
    "J.Garcia",
    "A.B. Construcciones, S.A.",
    "B.Construcciones SL",
    "M.ª del Carmen O’Neill-Ruiz",
    "Hnos.García",
    "Hijos de J.Mª García, S.L.",
    "M.º Eugenia Ruiz",
    "C.B. La Plaza 2.0",
    "Grupo 3.14",
    "AT&T: Iberia",
    "Instalaciones 24/7",
    "Ana / Luis",
    "Müller & Söhne GmbH",
  ])("%s is a name", (name) => {
    expect(isTypedName(name)).toBe(true);
  });

  test.each([
    "https://evil.example",
    "Ana http://x",
    "HTTPS:// evil",
    "mailto:ana",
    "javascript:alert(1)",
    "evil.com",
    "Ana (evil.com)",
    "Gana dinero en EVIL.ES ya",
    "x.co",
    "www.evil.xyz",
    "www.EVIL",
    "evil.example",
    "pago.seguro-hoy.online",
    "evil.dominio/entra",
    "ana@correo",
    "ana＠correo.example",
    "evil。com",
    "evil．com",
    "ev\u200Bil.co\u200Bm",
    "España.es",
    "Ana\nBcc: otra",
    "Ana\r",
    "Ana\u0000",
  ])("%j is none: it would be a link, or more than a line", (name) => {
    expect(isTypedName(name)).toBe(false);
  });

  test.each(["a.".repeat(60_000), "a-".repeat(60_000), "a".repeat(251)])(
    "a name longer than the limit is none",
    (text) => {
      expect(isTypedName(text)).toBe(false);
    },
  );

  test.each(["a.".repeat(124), "a-".repeat(124), `${"a-".repeat(120)}.`])(
    "the longest is judged (%s)",
    (text) => {
      expect(isTypedName(text)).toBe(true);
    },
  );
});

describe("a name in a mail", () => {
  test.each([
    ["María Ferrer", "«María Ferrer»"],
    ['«Ana» "la" “jefa”', "«Ana la jefa»"],
    ["Ana\nLuis", "«Ana Luis»"],
    ["Pérez e Hijos, S.L.", "«Pérez e Hijos, S. L.»"],
    ["J.M. Pérez", "«J. M. Pérez»"],
    ["Casino.Bet", "«Casino. Bet»"],
    ["EVIL.EXAMPLE 1.2.3.4", "«EVIL. EXAMPLE 1. 2. 3. 4»"],
    ["evil。com", "«evil. com»"],
    ["x".repeat(60), `«${"x".repeat(60)}»`],
    ["x".repeat(61), `«${"x".repeat(60)}…»`],
    ["😀".repeat(61), `«${"😀".repeat(60)}…»`],
  ])("%j is shown as %s", (name, mailed) => {
    expect(mailedName(name)).toBe(mailed);
  });
});
