/** Where xmlsec1 is, which verifies signatures; installs it where that needs no question. Runs on Node 20. */
import { existsSync } from "node:fs";
import { aptInstall } from "../apt.mjs";

const PLACES = ["/usr/bin/xmlsec1", "/usr/local/bin/xmlsec1", "/opt/homebrew/bin/xmlsec1"];

/** `{ path }`, or `{ missing }` with the reason. */
export function findXmlsec() {
  const named = process.env.XMLSEC1_PATH;
  if (named) return existsSync(named) ? { path: named } : { missing: `XMLSEC1_PATH=${named} does not exist` };
  const installed = () => PLACES.find((place) => existsSync(place));
  const found = installed() ?? (aptInstall("xmlsec1") ? installed() : undefined);
  return found ? { path: found } : { missing: "no xmlsec1 found; install it or set XMLSEC1_PATH" };
}
