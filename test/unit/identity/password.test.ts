/** The refused passwords, and that a password over the limit is not computed. */
import { readFileSync } from "node:fs";
import { describe, expect, test, vi } from "vitest";
import { isListed } from "../../../src/console/sign-in/passwords.ts";
import { judgePassword } from "../../../src/domain/identity/password.ts";
import { mayContain } from "../../../src/domain/shared/bloom.ts";
import { LISTED, PACKED_LIST, packedList } from "../../support/builders/pack-listed.ts";

const WHO = { email: "nadie.lopez@correo.example", name: "Nadie López Gil", product: "Cuadre" };

const codeOf = (password: string) => {
  const judged = judgePassword(password, WHO, isListed);
  return judged.ok ? undefined : judged.error;
};

describe("the list", () => {
  test("is the packed one, of about 125 KB", () => {
    const packed = packedList();
    expect(JSON.parse(readFileSync(PACKED_LIST, "utf8"))).toEqual(packed);
    const bytes = Buffer.from(packed.base64, "base64").length;
    expect(bytes).toBeGreaterThan(110_000);
    expect(bytes).toBeLessThan(130_000);
  });

  test("holds all 49,233 passwords and 39,799 Spanish words that are long enough to be one", () => {
    expect(LISTED).toHaveLength(49_233 + 39_799);
    const long = LISTED.filter((text) => text.length >= 12);
    expect(long.length).toBeGreaterThan(300);
    expect(long.filter((text) => codeOf(text) === undefined)).toEqual([]);
  });

  test("finds one in a thousand that is not in it", () => {
    const { hashes, base64 } = packedList();
    const filter = { hashes, bits: new Uint8Array(Buffer.from(base64, "base64")) };
    const strange = Array.from({ length: 100_000 }, (_, index) => `zq${index}xk${(index * 7_919) % 100_003}`);
    const hits = strange.filter((text) => mayContain(filter, text)).length;
    expect(hits).toBeGreaterThan(50);
    expect(hits).toBeLessThan(150);
  });
});

describe("a password", () => {
  test.each([
    ["eleven characters", "once-letras", "password_too_short"],
    ["129 characters", `${"cinco lobitos ".repeat(9)}abc`, "password_too_long"],
    ["513 bytes", `${"😀".repeat(128)}a`, "password_too_long"],
    ["80 KB", "a1".repeat(40_000), "password_too_long"],
    ["a listed word and numbers", "password12345", "password_guessable"],
    ["a row of the keyboard and numbers", "qwertyuiop12", "password_guessable"],
    ["two rows of the keyboard", "qwertyuiopasdf", "password_guessable"],
    ["look-alikes", "P4ssw0rd!2026", "password_guessable"],
    ["look-alikes within signs", "**p@$$w0rd**", "password_guessable"],
    ["look-alikes at the beginning", "4dm1n1str4d0r99", "password_guessable"],
    ["a Spanish word and a year", "ordenador2024", "password_guessable"],
    ["a word with its marks", "Contraseña123", "password_guessable"],
    ["a word twice", "contraseñacontraseña", "password_guessable"],
    ["a word and a half", "mariposamariposamari", "password_guessable"],
    ["one character", "aaaaaaaaaaaaaaaa", "password_guessable"],
    ["two characters in turn", "abababababab", "password_guessable"],
    ["the alphabet", "abcdefghijklmnop", "password_guessable"],
    ["numbers in a row", "123456789012", "password_guessable"],
    ["numbers alone", "847362910456", "password_guessable"],
    ["five letters within numbers", "2026-gatos-11", "password_guessable"],
    ["the own address", "nadie.lopez@correo.example", "password_guessable"],
    ["the own name", "NadieLopezGil1", "password_guessable"],
    ["the product", "cuadre-cuadre-26", "password_guessable"],
    ["name and product", "Cuadre.Nadie.26!", "password_guessable"],
    ["some words", "cuatro lunas de marzo", undefined],
    ["chance", "xK9$vQ2!mL7pWz", undefined],
    ["128 characters", `${"siete gatos y un perro azul; ".repeat(5).slice(0, 127)}z`, undefined],
    ["another script", "лунный свет над рекой", undefined],
  ])("of %s", (_, password, code) => {
    expect(codeOf(password)).toBe(code);
  });

  test("that is too long or too short is refused before the list is asked", () => {
    const asked = vi.fn(() => false);
    for (const password of ["a1".repeat(40_000), "corta"]) judgePassword(password, WHO, asked);
    expect(asked).not.toHaveBeenCalled();
  });

  test("of the largest size asks the list for four forms at most, with any characters", () => {
    for (const part of ["a1", "ﷺ", "0", "ab", "4$!", "Ñandú "]) {
      const asked = vi.fn(() => false);
      const password = [...part.repeat(128)].slice(0, 128).join("");
      judgePassword(password, WHO, asked);
      expect(asked.mock.calls.length).toBeLessThanOrEqual(4);
    }
  });
});
