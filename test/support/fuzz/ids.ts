/** Ids in bodies: new ones, so that something is issued, and known ones, so that something is found or comes back. */
import type { Draw } from "./draw.ts";
import type { Known } from "./requests.ts";
import { KNOWN, TAKEN_BACK } from "./seeds.ts";
import { isList, type Member, Members, type Tree } from "./tree.ts";

const OWN_IDS = new Set(["external_id", "id_external"]);
const ASKED_IDS = new Set(["order_id", "order_ids"]);

export function withIds(tree: Tree, known: Known, draw: Draw): Tree {
  if (!(tree instanceof Members)) return knownPlaced(tree, known, draw);
  return new Members(tree.entries.map((member) => withId(member, known, draw)));
}

function withId([name, sent]: Member, known: Known, draw: Draw): Member {
  const value = knownPlaced(sent, known, draw);
  // What is about a known one stays about it.
  if (OWN_IDS.has(name) && value === sent) return [name, draw.chance(0.8) ? known.fresh() : known.id(draw)];
  if (!ASKED_IDS.has(name) || !draw.chance(0.7)) return [name, value];
  return [name, isList(value) ? value.map(() => known.id(draw)) : known.id(draw)];
}

function knownPlaced(tree: Tree, known: Known, draw: Draw): Tree {
  if (tree === KNOWN) return known.id(draw);
  if (tree === TAKEN_BACK) return known.takenBack(draw);
  if (isList(tree)) return tree.map((element) => knownPlaced(element, known, draw));
  if (!(tree instanceof Members)) return tree;
  return new Members(tree.entries.map(([name, value]) => [name, knownPlaced(value, known, draw)]));
}
