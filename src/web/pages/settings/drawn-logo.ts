import { LOGO_LIMITS } from "../../../domain/brand/logo-limits.ts";

const MOST_FILE_BYTES = 512 * 1024;
/** Each try is drawn at this part of the size of the one before. */
const SMALLER = 0.8;
const TRIES = 12;

/** The browser cannot show the file as a picture, or it is too large to be one of ours. */
export class UnreadablePicture extends Error {}

/** A PNG or SVG as the PNG that the service takes: the browser draws it, and nothing of it is inserted. */
export async function drawnLogo(file: File): Promise<Blob> {
  const isKnown = file.type === "image/png" || file.type === "image/svg+xml";
  if (!isKnown || file.size > MOST_FILE_BYTES) throw new UnreadablePicture();
  const picture = await pictureOf(file);
  const { naturalWidth, naturalHeight } = picture;
  // An SVG without a size of its own has the largest.
  const width = naturalWidth || LOGO_LIMITS.width;
  const height = naturalHeight || LOGO_LIMITS.height;
  const isVector = file.type === "image/svg+xml";
  const fit = Math.min(LOGO_LIMITS.width / width, LOGO_LIMITS.height / height);
  let scale = isVector ? fit : Math.min(1, fit);
  for (let tries = 0; tries < TRIES; tries += 1) {
    const size = {
      width: Math.max(1, Math.floor(width * scale)),
      height: Math.max(1, Math.floor(height * scale)),
    };
    const png = await drawn(picture, size);
    if (png.size <= LOGO_LIMITS.bytes) return png;
    scale *= SMALLER;
  }
  throw new UnreadablePicture();
}

/** The policy of the page allows pictures of `data:`. */
async function pictureOf(file: File): Promise<HTMLImageElement> {
  const picture = new Image();
  picture.src = await addressOf(file);
  try {
    await picture.decode();
  } catch {
    throw new UnreadablePicture();
  }
  return picture;
}

function addressOf(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(new UnreadablePicture());
    reader.readAsDataURL(file);
  });
}

function drawn(picture: HTMLImageElement, size: { width: number; height: number }): Promise<Blob> {
  const canvas = Object.assign(document.createElement("canvas"), size);
  canvas.getContext("2d")?.drawImage(picture, 0, 0, size.width, size.height);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new UnreadablePicture())), "image/png");
  });
}
