import { expect, test } from "vitest";
import { deviceOf } from "../../../src/domain/identity/device.ts";

const MOZILLA = "Mozilla/5.0";

test.each([
  [`${MOZILLA} (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0`, "Firefox, Windows"],
  [
    `${MOZILLA} (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36`,
    "Chrome, Linux",
  ],
  [`${MOZILLA} (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0`, "Edge, Windows"],
  [`${MOZILLA} (Macintosh; Intel Mac OS X 10_15_7) Version/18.0 Safari/605.1.15`, "Safari, macOS"],
  [`${MOZILLA} (iPhone; CPU iPhone OS 18_0 like Mac OS X) CriOS/140.0 Mobile Safari/604.1`, "Chrome, iOS"],
  [
    `${MOZILLA} (Linux; Android 15) SamsungBrowser/27.0 Chrome/125.0 Mobile Safari/537.36`,
    "Samsung Internet, Android",
  ],
  ["Firefox, Windows", "Firefox, Windows"],
  ["curl/8.0", undefined],
  ["", undefined],
  [undefined, undefined],
  ["x".repeat(100_000), undefined],
])("%s is %s", (userAgent, device) => {
  expect(deviceOf(userAgent)).toBe(device);
});
