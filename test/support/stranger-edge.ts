/** What strangers reach, in one module, so that it can be loaded anew. */
export { ENDPOINTS } from "../../src/http/endpoints.ts";
export { aConsole } from "./console-edge.ts";
export { anEdge, FORGED_KEY } from "./http-edge.ts";
