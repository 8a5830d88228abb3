/** The notice that the law asks for, in the words of the product. */
import { describe, expect, test } from "vitest";
import type { ChainStatus, SubmissionStatus } from "../../../src/db/submission/submission-status.ts";
import { submissionNotice } from "../../../src/words/words.ts";

const NOW = Date.parse("2026-11-28T12:00:00+01:00");
const at = (time: string) => Date.parse(time);

function aChain(change: Partial<ChainStatus> = {}): ChainStatus {
  return {
    installationId: "is1",
    installationNumber: "cn1",
    environment: "production",
    isClosed: false,
    unsent: 0,
    failures: 0,
    toCorrect: { rejected: 0, acceptedWithErrors: 0 },
    ...change,
  };
}

function aStanding(
  chains: readonly Partial<ChainStatus>[],
  change: Partial<SubmissionStatus> = {},
): SubmissionStatus {
  return {
    timeZone: "Europe/Madrid",
    representationPending: false,
    chains: chains.map((chain) => aChain(chain)),
    ...change,
  };
}

const TODAY = at("2026-11-28T11:36:20+01:00");

describe("nothing is shown", () => {
  test.each<[string, SubmissionStatus]>([
    ["where there is no chain", aStanding([])],
    ["where records wait for their minute", aStanding([{ unsent: 3 }])],
    ["where everything is submitted", aStanding([{ unsent: 0, incidentSince: TODAY }])],
    [
      "where a signature is missing and nothing waits for it",
      aStanding([{}], { representationPending: true }),
    ],
  ])("%s", (_, standing) => {
    expect(submissionNotice(standing, "es", NOW)).toBeUndefined();
  });
});

const STOPS = "Una incidencia impide enviar a la AEAT desde";

describe("an incident", () => {
  test.each<[string, readonly Partial<ChainStatus>[], string, string]>([
    [
      "of today, one record",
      [{ unsent: 1, incidentSince: TODAY }],
      `${STOPS} las 11:36. Falta 1 registro por enviar.`,
      "A technical incident has stopped submission to the AEAT since 11:36. 1 record is still to be sent.",
    ],
    [
      "of an earlier day, many records",
      [{ unsent: 12_345, incidentSince: at("2026-11-26T11:36:00+01:00") }],
      `${STOPS} el 26 de noviembre a las 11:36. Faltan 12.345 registros por enviar.`,
      "A technical incident has stopped submission to the AEAT since 26 November at 11:36. " +
        "12,345 records are still to be sent.",
    ],
    [
      "of one in the night",
      [{ unsent: 2, incidentSince: at("2026-11-28T01:05:00+01:00") }],
      `${STOPS} la 1:05. Faltan 2 registros por enviar.`,
      "A technical incident has stopped submission to the AEAT since 01:05. 2 records are still to be sent.",
    ],
    [
      "of two chains, and a third that waits for its minute",
      [{ unsent: 2, incidentSince: TODAY }, { unsent: 3, incidentSince: TODAY - 60_000 }, { unsent: 9 }],
      `${STOPS} las 11:35. Faltan 5 registros por enviar.`,
      "A technical incident has stopped submission to the AEAT since 11:35. 5 records are still to be sent.",
    ],
  ])("%s", (_, chains, es, en) => {
    expect(submissionNotice(aStanding(chains), "es", NOW)).toEqual({
      notice: "unsent",
      title: es,
      body: "Lo seguimos intentando; no tienes que hacer nada y puedes seguir vendiendo.",
    });
    expect(submissionNotice(aStanding(chains), "en", NOW)?.title).toBe(en);
  });

  test("is given in the time of the Canaries", () => {
    const standing = aStanding([{ unsent: 1, incidentSince: TODAY }], { timeZone: "Atlantic/Canary" });
    expect(submissionNotice(standing, "es", NOW)?.title).toContain("desde las 10:36.");
  });
});

test("a signature that is missing comes first", () => {
  const standing = aStanding([{ unsent: 4, incidentSince: TODAY }, { unsent: 1 }], {
    representationPending: true,
  });
  expect(submissionNotice(standing, "es", NOW)).toEqual({
    notice: "representation",
    title: "Falta tu firma para enviar registros a la AEAT",
    body:
      "Hay 5 registros sin enviar. VERI*FACTU exige enviarlos al momento: firma la representación " +
      "cuanto antes.",
  });
  expect(submissionNotice(standing, "en", NOW)?.body).toContain("5 records are waiting.");
});
