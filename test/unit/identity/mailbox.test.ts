import { expect, test } from "vitest";
import { mailboxOf } from "../../../src/domain/identity/mailbox.ts";

test.each([
  ["an address is its own mailbox, in any case", " Ana@Correo.example ", "ana@correo.example"],
  ["the part after a plus makes no other mailbox", "ana+1@correo.example", "ana@correo.example"],
  ["only the first plus counts", "ana+1+2@correo.example", "ana@correo.example"],
  ["a plus at the beginning is part of the name", "+ana@correo.example", "+ana@correo.example"],
  ["dots are part of the name", "a.na@correo.example", "a.na@correo.example"],
  ["but not at Gmail, under either name", "A.n.a+1@googlemail.com", "ana@gmail.com"],
  ["a second at sign belongs to the name", "a@b+c@correo.example", "a@b@correo.example"],
  ["without an at sign nothing is cut", "ana+1", "ana+1"],
])("%s", (_, address, mailbox) => {
  expect(mailboxOf(address)).toBe(mailbox);
});
