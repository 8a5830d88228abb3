/** The JSON side: the control, and the messages as received. */
import { describe, expect, test } from "vitest";
import { aSandbox, readJson } from "../../support/authority/authority.ts";
import { alta, message, series } from "../../support/authority/messages.ts";

describe("the control", () => {
  test("is the sent settings, with the rest as at the start", async () => {
    const sandbox = aSandbox({ wait_seconds: 2 });
    await sandbox.control({ strict_chain: true });
    expect(await readJson(await sandbox.get("/control"))).toMatchObject({
      strict_chain: true,
      wait_seconds: 60,
    });
    await sandbox.get("/control", "DELETE");
    expect(await readJson(await sandbox.get("/control"))).toMatchObject({
      strict_chain: false,
      wait_seconds: 2,
    });
  });

  test.each([
    ["no JSON", "{", 400],
    ["no object", "[]", 400],
    ["a member that does not exist", '{"wait":1}', 422],
    ["a fault that does not exist", '{"queue":[{"fault":"fire"}]}', 422],
    ["a fault without code", '{"queue":[{"fault":"soap_fault"}]}', 422],
    ["a code that refuses records", '{"queue":[{"fault":"soap_fault","code":1100}]}', 422],
    ["a code that refuses messages", '{"records":[{"code":4102}]}', 422],
    ["a duplicate of nothing", '{"records":[{"code":3000}]}', 422],
    ["a code that does not exist", '{"records":[{"code":1999}]}', 422],
    ["half an answer to nothing", '{"queue":[{"fault":"truncated","when":"before_storing"}]}', 422],
    ["more than always", '{"random":[{"share":0.6,"fault":"html"},{"share":0.5,"fault":"empty"}]}', 422],
  ])("refuses %s", async (_, body, status) => {
    const sandbox = aSandbox();
    const answer = await sandbox.sendControl(body, "PUT");
    expect(answer.status).toBe(status);
    expect(await readJson(await sandbox.get("/control"))).toMatchObject({
      queue: [],
      random: [],
      records: [],
    });
  });

  test("changes one thing by PATCH, and begins its counts anew", async () => {
    const sandbox = aSandbox();
    await sandbox.control({ strict_chain: true, records: [{ code: 1100, times: 1 }] });
    expect(await sandbox.judge(alta())).toEqual([1100]);
    await sandbox.sendControl('{"wait_seconds":5}', "PATCH");
    const control = await readJson(await sandbox.get("/control"));
    expect(control).toMatchObject({ strict_chain: true, wait_seconds: 5 });
    expect(await sandbox.judge(alta())).toEqual([1100]);
  });

  test("and all that was received go with DELETE /records", async () => {
    const sandbox = aSandbox();
    await sandbox.control({ wait_seconds: 7 });
    await sandbox.submit(alta());
    await sandbox.get("/records", "DELETE");
    expect(await sandbox.chains()).toEqual([]);
    expect(await sandbox.messages()).toEqual([]);
    expect(await readJson(await sandbox.get("/control"))).toMatchObject({ wait_seconds: 60 });
    expect(await sandbox.judge(alta())).toEqual(["Correcto"]);
  });
});

test("a message is kept as it came and as it went", async () => {
  const sandbox = aSandbox();
  const sent = message(series(400));
  const { body } = await sandbox.send(sent);
  expect(sent.length).toBeGreaterThan(800_000);
  expect(await (await sandbox.get("/messages/1/request")).text()).toBe(sent);
  expect(await (await sandbox.get("/messages/1/response")).text()).toBe(body);
  expect(await readJson(await sandbox.get("/messages/1"))).toMatchObject({
    outcome: "Correcto",
    host: "prewww1.aeat.es",
    endpoint: "VerifactuSOAP",
    records: 400,
  });
  expect((await sandbox.get("/messages/2")).status).toBe(404);
  expect((await sandbox.get("/messages/2/request")).status).toBe(404);
  expect((await sandbox.get("/records/999")).status).toBe(404);
});

test("the authority's own requests are received at its own address", async () => {
  const header = { RemisionRequerimiento: { RefRequerimiento: "R2026", FinRequerimiento: "S" } };
  const answer = await aSandbox().send(message([alta()], header), { endpoint: "RequerimientoSOAP" });
  expect(answer.state).toBe("Correcto");
});
