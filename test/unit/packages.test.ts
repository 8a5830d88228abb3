/** The exact packages, and the facts known about them. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { auditPackages, readAudit } from "../audit.mjs";

interface Locked {
  readonly version?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly devOptional?: boolean;
  readonly link?: boolean;
  readonly hasInstallScript?: boolean;
}

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
  readonly allowScripts: Readonly<Record<string, boolean>>;
}

const manifest: Manifest = JSON.parse(readFileSync("package.json", "utf8"));
const text = readFileSync("package-lock.json", "utf8");
const lock: { readonly packages: Readonly<Record<string, Locked & Partial<Manifest>>> } = JSON.parse(text);
const { "": top, ...packages } = lock.packages;

const named = Object.entries(packages).map(([path, locked]) => ({
  ...locked,
  path,
  name: path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length),
}));

/** One package exists in two versions, the second under a name of its own. */
const ALIAS = /^npm:(?:@[\w.-]+\/)?[\w.-]+@/;
const EXACT = /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$/;

describe("versions", () => {
  test("are asked for exactly", () => {
    const { dependencies, devDependencies, optionalDependencies } = manifest;
    const asked = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies });
    expect(asked.filter(([, version]) => !EXACT.test(version.replace(ALIAS, "")))).toEqual([]);
  });

  test("are those of the lock file, which holds a sum for each and no address of any", () => {
    expect(top).toMatchObject({
      dependencies: manifest.dependencies,
      devDependencies: manifest.devDependencies,
      optionalDependencies: manifest.optionalDependencies,
    });
    for (const [name, version] of Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })) {
      const locked = packages[`node_modules/${name}`]?.version;
      expect([name, locked]).toEqual([name, version.replace(ALIAS, "")]);
    }
    const loose = named.filter(
      ({ version = "", integrity = "", resolved, link }) =>
        !EXACT.test(version) || !integrity.startsWith("sha512-") || resolved !== undefined || link === true,
    );
    expect(loose.map(({ path }) => path)).toEqual([]);
    expect(text).not.toMatch(/"resolved"|"git\+|"file:|\.tgz"/);
  });
});

test("no package runs a script at installation, except examined ones that are switched off", () => {
  const scripted = new Set(named.filter((one) => one.hasInstallScript).map(({ name }) => name));
  expect([...scripted].sort()).toEqual(Object.keys(manifest.allowScripts).sort());
  expect(Object.values(manifest.allowScripts)).toEqual(Object.values(manifest.allowScripts).map(() => false));
});

describe("licences", () => {
  /** May be used and passed on within a service without conditions on its own code. */
  const FREE = ["MIT", "ISC", "0BSD", "BSD-2-Clause", "BSD-3-Clause", "Apache-2.0", "CC0-1.0"];
  /** Tools and fonts, which are not part of what runs; the fonts' licence allows to embed them. */
  const OF_TOOLS = [
    ...FREE,
    "MPL-2.0",
    "LGPL-3.0-or-later",
    "OFL-1.1",
    "Python-2.0",
    "PSF-2.0",
    "BlueOak-1.0.0",
  ];

  const isAllowed = (licence: string, allowed: readonly string[]) => {
    const some = licence.replace(/[()]/g, "").split(" OR ");
    return some.some((each) => each.split(" AND ").every((one) => allowed.includes(one)));
  };

  test("of what runs ask nothing of our own code", () => {
    const running = named.filter(({ dev, devOptional, optional }) => !dev && !devOptional && !optional);
    expect(running.length).toBeGreaterThan(10);
    expect(
      running.flatMap(({ path, license = "none" }) =>
        isAllowed(license, FREE) ? [] : [`${path}: ${license}`],
      ),
    ).toEqual([]);
  });

  /** Saxonica's own: copied as it is, it may be run; it is never part of the Worker. */
  const EXAMINED: readonly string[] = ["saxon-js"];

  test("of tools may be used", () => {
    const others = named.filter(({ name }) => !EXAMINED.includes(name));
    expect(
      others.flatMap(({ path, license = "none" }) =>
        isAllowed(license, OF_TOOLS) ? [] : [`${path}: ${license}`],
      ),
    ).toEqual([]);
  });
});

describe("the audit", () => {
  const answer = (counts: Readonly<Record<string, number>>, found: Readonly<Record<string, object>> = {}) =>
    JSON.stringify({
      auditReportVersion: 2,
      vulnerabilities: found,
      metadata: {
        vulnerabilities: { info: 0, low: 0, moderate: 0, high: 0, critical: 0, total: 0, ...counts },
      },
    });

  test.each<[string, string]>([
    ["an error of the registry", '{"message":"404","error":{"code":"ENOAUDIT","summary":"","detail":""}}'],
    ["nothing", ""],
    ["a page", "<html></html>"],
    ["no counts", '{"metadata":{"vulnerabilities":{}}}'],
    ["null", "null"],
  ])("%s is no answer, and no failure", async (_, output) => {
    expect(readAudit(output)).toEqual({ answered: false });
    const asked: (readonly string[])[] = [];
    const told = await auditPackages((args) => {
      asked.push(args);
      return output;
    });
    expect(told.fails).toBe(false);
    expect(told.lines).toEqual([
      "audit of packages of the service: the registry does not answer audits; nothing is known.",
    ]);
    expect(asked).toEqual([["--omit=dev", "--audit-level=high"]]);
  });

  test.each(["high", "critical"])("a %s fault of the service fails", async (severity) => {
    const output = answer({ [severity]: 1 }, { x: { name: "x", severity } });
    const { fails, lines } = await auditPackages(() => output);
    expect(fails).toBe(true);
    expect(lines[0]).toBe(`audit of packages of the service: 1 ${severity}: x (${severity})`);
  });

  test("less grave faults, or those of tools alone, are reported", async () => {
    const ofService = answer({ moderate: 2 }, { b: { name: "b", severity: "moderate" } });
    const ofAll = answer({ moderate: 2, critical: 1 }, { t: { name: "t", severity: "critical" } });
    const { fails, lines } = await auditPackages((args) => (args.length > 0 ? ofService : ofAll));
    expect(fails).toBe(false);
    expect(lines).toEqual([
      "audit of packages of the service: 2 moderate: b (moderate)",
      "audit of all packages, those of development included: 2 moderate, 1 critical: t (critical)",
    ]);
  });

  test("nothing found is said so", async () => {
    expect(await auditPackages(() => answer({}))).toEqual({
      fails: false,
      lines: [
        "audit of packages of the service: no known faults.",
        "audit of all packages, those of development included: no known faults.",
      ],
    });
  });
});
