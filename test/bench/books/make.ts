/** `node test/bench/books/make.ts FOLDER INVOICES ORDERS`: a state to look at, kept until it is deleted. */
import { scaleState } from "./state.ts";

const [dir = "", invoices = "1000", orders = "100", seed = "7"] = process.argv.slice(2);
if (dir === "") throw new Error("which folder?");
const made = await scaleState(dir, {
  invoices: Number(invoices),
  orders: Number(orders),
  seed: Number(seed),
});
console.log(JSON.stringify(made, null, 2));
// The proxy of the databases leaves a handle open.
process.exit(0);
