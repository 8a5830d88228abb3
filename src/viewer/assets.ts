import { bytesOf } from "../domain/shared/base64.ts";
import { VIEWER_STYLESHEET, VIEWER_STYLESHEET_PATH, WEB_FONTS } from "./stylesheet.ts";

/** Files that the pages load from their own host. */
export interface Asset {
  readonly contentType: string;
  readonly cacheControl: string;
  readonly body: () => Promise<string | Uint8Array<ArrayBuffer>>;
}

const FONT = {
  contentType: "font/woff2",
  // A font of another release would have another name.
  cacheControl: "public, max-age=31536000, immutable",
} as const;

export const VIEWER_ASSETS: Readonly<Record<string, Asset>> = {
  [VIEWER_STYLESHEET_PATH]: {
    contentType: "text/css; charset=utf-8",
    cacheControl: "public, max-age=3600",
    body: async () => VIEWER_STYLESHEET,
  },
  [WEB_FONTS.latin]: {
    ...FONT,
    body: async () =>
      bytesOf((await import("./fonts/web-latin.json", { with: { type: "json" } })).default.base64),
  },
  [WEB_FONTS.latinExt]: {
    ...FONT,
    body: async () =>
      bytesOf((await import("./fonts/web-latin-ext.json", { with: { type: "json" } })).default.base64),
  },
};
