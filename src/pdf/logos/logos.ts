import { Injectable } from '@nestjs/common';
import { v7 as uuidV7 } from 'uuid';
import type { Asset } from '../../api/reports.js';
import { Clock } from '../../common/clock.js';
import { Logger } from '../../common/logger.js';
import { sha256Hex } from '../../common/secrets/constant-time.js';
import { isDataUri, readBase64 } from '../../common/texts/base64.js';
import type { Warning } from '../../common/warnings.js';
import { DatabaseReader } from '../../database/database-reader.js';
import { WriteGate } from '../../database/writes/write-gate.js';
import { sniffPicture } from '../../inspection/pictures/picture-format.js';
import type { PictureCaller } from '../../inspection/pictures/picture-slots.js';
import { PictureWorkers } from '../../inspection/pictures/picture-workers.js';
import { FaultyPicture, undecodable } from '../../inspection/pictures/picture.js';
import { BlobStore } from '../../storage/blob-store.js';
import { AssetEntity } from './asset.entity.js';

/** The most decoded bytes of a logo. */
export const MAX_LOGO_BYTES = 10 * 1024 * 1024;

/** A logo with the storage key of its JPEG. */
interface LogoFile extends Asset {
  key: string;
}

/** The asset that a logo reference names, or the warning why the report has none. */
type ResolvedLogo = { assetId: string } | { warning: Warning };

/** The path of a logo reference, in the request or in the flow's definition. */
type LogoPath = 'meta.logo' | 'chat.brand.logo';

const ID = /^[0-9a-f-]{36}$/;

/** Logos wait for picture workers as if one more caller had sent them. */
const LOGOS: PictureCaller = { who: 'logos', chat: '' };

/**
 * Logos (description section 2.3), uploaded once and named by id, or sent as a data URI. A picture worker decodes each,
 * flattens it to a JPEG and bounds its size before it is printed. No URL is fetched and no path is read. SVG is refused,
 * because it can hold scripts.
 */
@Injectable()
export class Logos {
  constructor(
    private readonly reader: DatabaseReader,
    private readonly gate: WriteGate,
    private readonly store: BlobStore,
    private readonly workers: PictureWorkers,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  /** Stores a picture as an asset. The same bytes are always the same asset. Throws `FaultyPicture`. */
  async add(source: Uint8Array): Promise<Asset> {
    const sourceSha256 = sha256Hex(source);
    const known = await this.row({ sourceSha256 });
    if (known && (await this.store.exists(known.storageKey))) return assetOf(known);
    const { key: storageKey, ...made } = await this.normalise(source);
    return this.gate.write(async (tx) => {
      const assets = tx.repository(AssetEntity);
      const { affected } = await assets.update({ sourceSha256 }, { storageKey });
      if (affected === 1) return assetOf((await assets.findOneBy({ sourceSha256 }))!);
      const now = this.clock.now();
      const id = uuidV7({ msecs: now });
      await assets.insert({ id, sourceSha256, storageKey, ...made, createdAt: now });
      return { id, ...made };
    });
  }

  /**
   * Returns the asset that the reference at `path` names. A fault of the reference is a warning, not an error, and the report
   * is printed without the logo.
   */
  async resolve(reference: string, path: LogoPath): Promise<ResolvedLogo> {
    if (!isDataUri(reference)) {
      const found = ID.test(reference) && (await this.row({ id: reference })) !== null;
      return found
        ? { assetId: reference }
        : { warning: dropped(path, 'is neither the id of an asset nor a data URI') };
    }
    const read = readBase64(reference, MAX_LOGO_BYTES);
    if (!('bytes' in read)) return { warning: dropped(path, read.why) };
    try {
      return { assetId: (await this.add(read.bytes)).id };
    } catch (error) {
      if (error instanceof FaultyPicture)
        return { warning: dropped(path, 'is not a picture that can be printed') };
      this.logger.warn({ err: error }, 'a logo could not be stored');
      return { warning: dropped(path, 'could not be prepared for printing') };
    }
  }

  async find(assetId: string): Promise<LogoFile | undefined> {
    const row = await this.row({ id: assetId });
    return row ? { ...assetOf(row), key: row.storageKey } : undefined;
  }

  private async normalise(
    source: Uint8Array,
  ): Promise<{ key: string; bytes: number; width: number; height: number }> {
    const format = sniffPicture(source);
    if (format === undefined || format === 'heic')
      throw undecodable('is no JPEG, PNG, WebP, AVIF, GIF or TIFF');
    const original = await this.store.put('logos', source);
    const draft = await this.store.draft();
    try {
      const picture = await this.store.withFiles([original.key], (pathOf) =>
        this.workers.normalise(pathOf(original.key), draft.path, LOGOS),
      );
      if (!picture.drawable) throw undecodable('takes too much memory to decode');
      const { key, bytes } = await this.store.keep(draft, 'logos', { extension: '.jpg' });
      return { key, bytes, width: picture.renditionWidth, height: picture.renditionHeight };
    } finally {
      await this.store.discard(draft);
      await this.store.remove(original.key);
    }
  }

  private row(where: { id: string } | { sourceSha256: string }): Promise<AssetEntity | null> {
    return this.reader.repository(AssetEntity).findOneBy(where);
  }
}

const assetOf = ({ id, width, height, bytes }: AssetEntity): Asset => ({ id, width, height, bytes });

const dropped = (path: LogoPath, why: string): Warning => ({
  code: 'logo_dropped',
  message: `${path} ${why}; it was dropped.`,
  path,
});

/** Splits the logo, which may have megabytes, from `meta`. A logo that is no text stays, so that it gets its warning. */
export function splitLogo(meta: unknown): { meta: unknown; logo: string | undefined } {
  if (typeof meta !== 'object' || meta === null || Array.isArray(meta)) return { meta, logo: undefined };
  const { logo, ...rest } = meta as { logo?: unknown };
  if (typeof logo !== 'string') return { meta, logo: undefined };
  return { meta: rest, logo: /\S/.test(logo) ? logo : undefined };
}
