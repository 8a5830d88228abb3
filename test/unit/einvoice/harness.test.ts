/** The validators judge as their authors say: otherwise no verdict about our own files means anything. */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { rulesFolder } from "../../support/einvoice/rules.ts";
import { openValidator } from "../../support/einvoice/validator.ts";

const examples = (folder: string) =>
  rulesFolder === undefined
    ? []
    : readdirSync(`${rulesFolder}/examples/${folder}`).map((file) => `${folder}/${file}`);

const read = (file: string) => readFileSync(`${rulesFolder}/examples/${file}`, "utf8");

describe.skipIf(rulesFolder === undefined)("of the examples of the rules", () => {
  test.each([...examples("ubl"), ...examples("facturae")])("%s is valid", async (file) => {
    const { valid, xsd, fatal } = (await openValidator())(read(file));
    expect({ valid, xsd, fatal }).toEqual({ valid: true, xsd: [], fatal: [] });
  });

  test.each(examples("peppol"))("%s is valid for Peppol", async (file) => {
    const { valid, xsd, fatal } = (await openValidator())(read(file), { peppol: true });
    expect({ valid, xsd, fatal }).toEqual({ valid: true, xsd: [], fatal: [] });
  });

  test.each(["BR-CO-16", "BR-CO-17"])("the one that breaks %s is refused for it", async (rule) => {
    const { valid, fatal } = (await openValidator())(read(`invalid/${rule}.xml`));
    expect(valid).toBe(false);
    expect(fatal.map((text) => text.split(":")[0])).toContain(rule);
  });

  test("the one that breaks a rule of Peppol is refused by Peppol alone", async () => {
    const check = await openValidator();
    const xml = read("invalid/PEPPOL-EN16931-R120.xml");
    expect(check(xml).valid).toBe(true);
    const { valid, fatal } = check(xml, { peppol: true });
    expect(valid).toBe(false);
    expect(fatal.map((text) => text.split(":")[0])).toEqual(["PEPPOL-EN16931-R120"]);
  });

  test("the Facturae that breaks the schema is refused by it", async () => {
    const { valid, xsd } = (await openValidator())(read("invalid/facturae-xsd.xml"));
    expect(valid).toBe(false);
    expect(xsd.length).toBeGreaterThan(0);
  });
});
