/** In steps, because a call takes only so many arguments. */
export function base64Of(bytes: Uint8Array): string {
  let characters = "";
  for (let at = 0; at < bytes.length; at += 8_192)
    characters += String.fromCharCode(...bytes.subarray(at, at + 8_192));
  return btoa(characters);
}

/** Throws on a text that is not base64; white space in it is allowed. */
export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const binary = atob(base64);
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < binary.length; index++) bytes[index] = binary.charCodeAt(index);
  return bytes;
}
