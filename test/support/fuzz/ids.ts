/** Ids in bodies: new ones, so that something is issued, and known ones, so that something is found. */
import type { Draw } from "./draw.ts";
import type { Known } from "./requests.ts";
import { KNOWN } from "./seeds.ts";
import { isList, type Member, Members, type Tree } from "./tree.ts";

const OWN_IDS = new Set(["external_id", "id_external"]);
const ASKED_IDS = new Set(["order_id", "order_ids"]);

export function withIds(tree: Tree, known: Known, draw: Draw): Tree {
  const placed = knownPlaced(tree, known, draw);
  if (!(placed instanceof Members)) return placed;
  return new Members(placed.entries.map((member) => withId(member, known, draw)));
}

function withId([name, value]: Member, known: Known, draw: Draw): Member {
  if (OWN_IDS.has(name)) return [name, draw.chance(0.8) ? known.fresh() : known.id(draw)];
  if (!ASKED_IDS.has(name) || !draw.chance(0.7)) return [name, value];
  return [name, isList(value) ? value.map(() => known.id(draw)) : known.id(draw)];
}

function knownPlaced(tree: Tree, known: Known, draw: Draw): Tree {
  if (tree === KNOWN) return known.id(draw);
  if (isList(tree)) return tree.map((element) => knownPlaced(element, known, draw));
  if (!(tree instanceof Members)) return tree;
  return new Members(tree.entries.map(([name, value]) => [name, knownPlaced(value, known, draw)]));
}
