import { z } from 'zod';
import { mediaTypeOf, readBase64 } from '../../common/texts/base64.js';
import type { Json } from '../engine/json.js';

/** Bytes of a logo in the definition itself; a larger one is uploaded as an asset. */
const MAX_LOGO_BYTES = 64 * 1024;

/** Characters of such a logo as a data URI, with space for its header and line breaks. */
const MAX_LOGO_TEXT = 4 * MAX_LOGO_BYTES;

const COLOUR = /^#[0-9a-fA-F]{6}$/;
const ASSET_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const PICTURES: ReadonlySet<string> = new Set(
  ['png', 'jpeg', 'webp', 'gif', 'avif', 'svg+xml'].map((kind) => `image/${kind}`),
);

/** A logo from a definition. */
interface LogoData {
  mime: string;
  bytes: Buffer;
}

/** The look of a flow's hosted chat page and reports: `chat.brand` of a definition. */
export const chatBrand = z.strictObject({
  colour: z
    .string()
    .regex(COLOUR, 'must be a colour as #rrggbb')
    .optional()
    .describe(
      'The accent of the page and of reports as #rrggbb, adjusted until it can be read in light, in dark and on paper.',
    ),
  logo: z
    .string()
    .refine(
      (logo) => ASSET_ID.test(logo) || isPictureUri(logo),
      'must be the id of an asset, or a picture (PNG, JPEG, WebP, GIF, AVIF or SVG) as a base64 data URI',
    )
    .refine(
      (logo) => !isPictureUri(logo) || logoData(logo) !== undefined,
      'must have 1 byte to 64 KB of base64; upload a larger picture as an asset and name its id',
    )
    .optional()
    .describe('The id of an uploaded asset, or a small picture as a data URI. Never an address.'),
});

export type ChatBrand = z.infer<typeof chatBrand>;

/** Returns the brand in the `chat` of a checked definition. */
export function brandOf(chat: Record<string, Json> | undefined): ChatBrand {
  const parsed = chatBrand.safeParse(chat?.['brand'] ?? {});
  return parsed.success ? parsed.data : {};
}

/** Returns the picture of a data URI; undefined for the id of an asset, and for one that is broken or too large. */
export function logoData(logo: string): LogoData | undefined {
  if (!isPictureUri(logo) || logo.length > MAX_LOGO_TEXT) return undefined;
  const read = readBase64(logo, MAX_LOGO_BYTES);
  return 'bytes' in read ? read : undefined;
}

/** Returns whether the text is a data URI of a picture in base64; its data may still be broken. */
const isPictureUri = (logo: string): boolean => PICTURES.has(mediaTypeOf(logo) ?? '');
