import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalRequest, fingerprintOf, identifierOf } from "../../../src/domain/invoice/prepare.ts";
import { altaOf, issued } from "../../support/builders/direct-invoicing.ts";
import { aRequest } from "../../support/builders/requests.ts";

const ADDRESS = { company: "Cliente Ejemplo SL", address1: "Rue 1", postcode: "1000", city: "Bruxelles" };
const NUMBERS = ["B12345674", "ESB12345674", " es-b12345674 ", "12345678Z", "ES 12345678Z", "BE0477472701"];
const COUNTRIES = ["ES", "AT", "CY", "FR", "DE", "PT", "US", "GB", "BE"];

describe("a Spanish NIF with its prefix stays one with any country", () => {
  test.each(COUNTRIES)("%s", (country) => {
    const recipient = { ...ADDRESS, vatNumber: "es-b12345674", country };
    const { recipients } = altaOf(issued(aRequest("e1", { recipient })));
    expect(recipients).toEqual([{ name: "Cliente Ejemplo SL", nif: "B12345674" }]);
  });
});

test("the canonical form of a request is its own canonical form, and names the same recipient", () => {
  const recipients = fc.record({
    vatNumber: fc.constantFrom(...NUMBERS),
    country: fc.constantFrom(...COUNTRIES),
    idType: fc.constantFrom(undefined, "02", "03", "04", "07"),
  });
  fc.assert(
    fc.property(recipients, ({ idType, ...stated }) => {
      const recipient = {
        ...ADDRESS,
        ...stated,
        ...(idType === undefined ? {} : { idType: asIdType(idType) }),
      };
      const request = aRequest("e1", { recipient });
      const once = canonicalRequest(request);
      expect(canonicalRequest(once)).toEqual(once);
      expect(identifierOf(once.recipient)).toEqual(identifierOf(request.recipient));
      expect(fingerprintOf(once)).toBe(fingerprintOf(request));
    }),
    { numRuns: 500, seed: 20261128 },
  );
});

function asIdType(text: string) {
  const types = ["02", "03", "04", "05", "06", "07"] as const;
  const found = types.find((type) => type === text);
  if (!found) throw new Error(`${text} is no id type`);
  return found;
}
