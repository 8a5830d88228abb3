/**
 * JSON with line breaks. It is not written anew, so that numbers keep every digit that was sent; text that is
 * no JSON stays as it is.
 */
export function indented(text: string): string {
  if (!isJson(text)) return text;
  let depth = 0;
  const line = () => `\n${"  ".repeat(depth)}`;
  return text.replace(TOKENS, (token) => {
    switch (token) {
      case "{":
      case "[":
        depth += 1;
        return token + line();
      case "}":
      case "]":
        depth -= 1;
        return line() + token;
      case ",":
        return token + line();
      case ":":
        return ": ";
      default:
        return token.trim();
    }
  });
}

/** A string, an empty object or list, a mark, space, or a number or word. */
const TOKENS = /"(?:[^"\\]|\\.)*"|\{\s*\}|\[\s*\]|[{}[\],:]|\s+|[^\s{}[\],:"]+/g;

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
