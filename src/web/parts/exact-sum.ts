/** Two exact decimals of a shop: their sum has no more digits than the longer of them. */
export function sumText(a: string, b: string): string {
  const digits = Math.max(...[a, b].map((text) => text.split(".")[1]?.length ?? 0));
  const units = (text: string) => {
    const [whole = "0", fraction = ""] = text.replace("-", "").split(".");
    const value = BigInt(whole + fraction.padEnd(digits, "0"));
    return text.startsWith("-") ? -value : value;
  };
  const total = units(a) + units(b);
  const text = String(total < 0n ? -total : total).padStart(digits + 1, "0");
  const sign = total < 0n ? "-" : "";
  if (digits === 0) return sign + text;
  return `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`;
}
