/** Codes that no request, and no writing of records, can keep away: each with the reason. */
export type ElsewhereRow = readonly [codes: readonly number[], reason: string];

export const ELSEWHERE: readonly ElsewhereRow[] = [
  // Facts that only the AEAT knows
  [[1109, 1110, 4104, 4107], "whether a NIF is in the census, and under which name, only the AEAT knows"],
  [[1121, 2001], "who is sent as 07 is not in the census by the caller's own word; the AEAT accepts it"],
  [[1128], "the existing agreements are in a register of the AEAT; number and limit are the account's"],
  [[1242], "the existing systems are in books of the AEAT; ours is the declared one in every record"],
  [
    [3000, 3001, 3002, 3003],
    "what the AEAT has under a key may be another system's; corrections follow its answers",
  ],
  [[3004], "an invoice registered by the AEAT's own form is in its books only"],
  [[2004], "how far the AEAT's clock is from ours shows in its answer; late records are sent as an incident"],
  // Rules of the AEAT that do not depend on the sender
  [[4112], "for whom the certificate may send is a power registered at the AEAT"],
  [[4134, 4139, 4141], "whether the service is on, for all or for us, is the AEAT's"],
  [[1129, 1241, 1243, 1256, 1288], "a fault of the AEAT's own while it judges a record"],
  [[3500, 3501, 4103, 4108, 4110, 4111, 4118, 4128], "a fault of the AEAT's own while it reads a message"],
  // Listed by the AEAT without an explanation
  [[1191, 1192], "the AEAT lists it and takes R2 and R3 to any identifier all the same"],
  [[1193], "an invoice to oneself has been allowed since the document says so; the text has stayed"],
  // How messages are sent
  [[4135], "messages are sent by POST alone"],
  [[4127], "messages go to the VERI*FACTU endpoint alone, where RemisionVoluntaria belongs"],
  [[1285, 3502, 3503, 4132, 4140], "what a query finds, and whether it may be made, is the AEAT's"],
];
