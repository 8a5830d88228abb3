import { describe, expect, test } from "vitest";
import { deviceOf } from "../../../src/domain/identity/device.ts";

const WINDOWS = "Mozilla/5.0 (Windows NT 10.0; Win64; x64)";
const LINUX = "Mozilla/5.0 (X11; Linux x86_64)";
const MAC = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)";
const ANDROID = "Mozilla/5.0 (Linux; Android 15; Pixel 9)";
const IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X)";
const IPAD = "Mozilla/5.0 (iPad; CPU OS 18_5 like Mac OS X)";
const CHROMEBOOK = "Mozilla/5.0 (X11; CrOS x86_64 14541.0.0)";
const WEBKIT = "AppleWebKit/537.36 (KHTML, like Gecko)";
const IOS_WEBKIT = "AppleWebKit/605.1.15 (KHTML, like Gecko)";

const KNOWN: readonly (readonly [userAgent: string, device: string])[] = [
  ["Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox, Windows"],
  ["Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0", "Firefox, Android"],
  [`${IPHONE} ${IOS_WEBKIT} FxiOS/140.0 Mobile/15E148 Safari/605.1.15`, "Firefox, iOS"],
  [`${LINUX} ${WEBKIT} Chrome/140.0.0.0 Safari/537.36`, "Chrome, Linux"],
  [`${LINUX} ${WEBKIT} HeadlessChrome/140.0.0.0 Safari/537.36`, "Chrome, Linux"],
  [`${ANDROID} ${WEBKIT} Chrome/140.0.0.0 Mobile Safari/537.36`, "Chrome, Android"],
  [`${ANDROID} ${WEBKIT} Version/4.0 Chrome/140.0.0.0 Mobile Safari/537.36`, "Chrome, Android"],
  [`${IPHONE} ${IOS_WEBKIT} CriOS/140.0.7339.0 Mobile/15E148 Safari/604.1`, "Chrome, iOS"],
  [`${IPHONE} ${IOS_WEBKIT} GSA/380.0 Mobile/15E148 Safari/604.1`, "Chrome, iOS"],
  [`${CHROMEBOOK} ${WEBKIT} Chrome/140.0.0.0 Safari/537.36`, "Chrome, ChromeOS"],
  [`${WINDOWS} ${WEBKIT} Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0`, "Edge, Windows"],
  [`${WINDOWS} ${WEBKIT} Chrome/64.0.3282.140 Safari/537.36 Edge/18.17763`, "Edge, Windows"],
  [`${ANDROID} ${WEBKIT} Chrome/140.0.0.0 Mobile Safari/537.36 EdgA/140.0.0.0`, "Edge, Android"],
  [`${IPHONE} ${IOS_WEBKIT} Version/18.0 EdgiOS/140.0.0.0 Mobile/15E148 Safari/605.1.15`, "Edge, iOS"],
  [`${WINDOWS} ${WEBKIT} Chrome/138.0.0.0 Safari/537.36 OPR/122.0.0.0`, "Opera, Windows"],
  [`${ANDROID} ${WEBKIT} Chrome/138.0.0.0 Mobile Safari/537.36 OPR/90.0.0.0`, "Opera, Android"],
  [`${IPHONE} ${IOS_WEBKIT} Version/18.5 Mobile/15E148 Safari/604.1 OPT/6.0`, "Opera, iOS"],
  [`${IPHONE} ${IOS_WEBKIT} OPiOS/16.0.15 Mobile/15E148 Safari/9537.53`, "Opera, iOS"],
  ["Opera/9.80 (Windows NT 6.1) Presto/2.12.388 Version/12.18", "Opera, Windows"],
  [
    `${ANDROID} ${WEBKIT} SamsungBrowser/27.0 Chrome/125.0.0.0 Mobile Safari/537.36`,
    "Samsung Internet, Android",
  ],
  [`${WINDOWS} ${WEBKIT} Chrome/138.0.0.0 Safari/537.36 Vivaldi/7.5`, "Vivaldi, Windows"],
  [`${MAC} ${IOS_WEBKIT} Version/18.5 Safari/605.1.15 Ddg/18.5`, "DuckDuckGo, macOS"],
  [`${IPHONE} ${IOS_WEBKIT} Version/18.5 Mobile/15E148 DuckDuckGo/7 Safari/605.1.15`, "DuckDuckGo, iOS"],
  [`${MAC} ${IOS_WEBKIT} Version/18.5 Safari/605.1.15`, "Safari, macOS"],
  [`${IPHONE} ${IOS_WEBKIT} Version/18.5 Mobile/15E148 Safari/604.1`, "Safari, iOS"],
  [`${IPAD} ${IOS_WEBKIT} Version/18.5 Mobile/15E148 Safari/604.1`, "Safari, iOS"],
];

test.each(KNOWN)("%s is %s", (userAgent, device) => {
  expect(deviceOf(userAgent)).toBe(device);
});

test.each([...new Set(KNOWN.map(([, device]) => device))])("%s stays as it is", (device) => {
  expect(deviceOf(device)).toBe(device);
});

describe("a browser that is not known", () => {
  test.each([
    ["is named by its system, if that is known", `${IPHONE} ${IOS_WEBKIT} Mobile/15E148`, "iOS"],
    ["is not named as a program", "curl/8.0", undefined],
    ["is not named where the header is empty", "", undefined],
    ["is not named where the header is missing", undefined, undefined],
    ["is not looked for in a text without end", "x".repeat(100_000), undefined],
  ])("%s", (_, userAgent, device) => {
    expect(deviceOf(userAgent)).toBe(device);
  });
});
