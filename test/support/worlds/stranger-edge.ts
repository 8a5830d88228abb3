/** The code that strangers reach, in one module, so that it can be loaded anew. */
export { ENDPOINTS } from "../../../src/api/endpoints.ts";
export { aConsole } from "./console-edge.ts";
export { AUTHORISED, aBody, aLine, anEdge, FORGED_KEY } from "./http-edge.ts";
