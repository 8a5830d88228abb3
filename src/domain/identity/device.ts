const LONGEST = 80;

/** The first match counts: browsers also name the ones they resemble. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\b(Edge|Edg|EdgA|EdgiOS)\b/, "Edge"],
  [/\b(Opera|OPR|OPT|OPX|OPiOS)\b/, "Opera"],
  [/\bSamsung(Browser| Internet)\b/, "Samsung Internet"],
  [/\bVivaldi\b/, "Vivaldi"],
  [/\b(DuckDuckGo|Ddg)\b/, "DuckDuckGo"],
  [/\b(Firefox|FxiOS)\b/, "Firefox"],
  [/\b(Chrome|HeadlessChrome|CriOS|Chromium|GSA)\b/, "Chrome"],
  [/\bSafari\b/, "Safari"],
];

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\b(iPhone|iPad|iPod|iOS)\b/, "iOS"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\b(Macintosh|macOS)\b/, "macOS"],
  [/\b(CrOS|ChromeOS)\b/, "ChromeOS"],
  [/\bLinux\b/, "Linux"],
];

/**
 * Names a browser and its system for the list of sessions, such as `Firefox, Windows`. A name that was
 * made here before stays as it is.
 */
export function deviceOf(userAgent: string | undefined): string | undefined {
  const text = (userAgent ?? "").slice(0, 400);
  const named = [BROWSERS, SYSTEMS].flatMap(
    (list) => list.find(([pattern]) => pattern.test(text))?.[1] ?? [],
  );
  return named.length > 0 ? named.join(", ").slice(0, LONGEST) : undefined;
}
