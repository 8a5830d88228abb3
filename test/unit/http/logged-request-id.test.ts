/** A caller's X-Request-Id may have any printable text; the log repeats only the form of an id. */
import { expect, test } from "vitest";
import { loggedRequestId } from "../../../src/platform/log.ts";

const logged = (id: string) => loggedRequestId(id, () => "ours");

test.each([
  ["a UUID", "7ffd04ac-357a-400a-b62b-6ff900092f63"],
  ["a UUID in capitals", "7FFD04AC-357A-400A-B62B-6FF900092F63"],
  ["a ULID", "01JDVX3W0Q8R5T7Y9ZABCDEFGH"],
  ["a trace", "4bf92f3577b34da6a3ce929d0e0e4736"],
])("%s is repeated", (_, id) => {
  expect(logged(id)).toBe(id);
});

test.each([
  ["an e-mail address", "ana-maria@correo.example"],
  ["a NIF", "12345678Z"],
  ["a name", "Ana-Garcia-Lopez"],
  ["a telephone", "+34600123456"],
  ["an order of the shop", "order-77/2"],
  ["a key", "ck_live_cn0008andwt8kgkwtxsg9_0123456789abcdefghjkmnpqrstvwxyz_0123456789abcdef"],
  ["a UUID and more", "7ffd04ac-357a-400a-b62b-6ff900092f63-ana"],
  ["lines", "7ffd04ac-357a-400a-b62b-6ff900092f63\nana"],
])("%s is not", (_, id) => {
  expect(logged(id)).toBe("ours");
});
