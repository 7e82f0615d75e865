import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { WriteGate } from '../../src/database/writes/write-gate.js';
import { areaNamed } from '../../src/inspection/areas/classify-area.js';
import { BlobStore } from '../../src/storage/blob-store.js';
import type { TestApp } from './app.js';

export interface RecordedPhotograph {
  flowId: string;
  sessionId: string;
  area?: string;
  capturedAt?: number;
  /** Bytes of the print rendition; a small unique picture by default. */
  jpeg?: Buffer;
}

let arrival = 0;

/**
 * The distance between two shades, and shades per channel: far enough apart to survive JPEG, never dark enough to count
 * as a bad picture.
 */
const STEP = 3;
const SHADES = 64;

let pictures = 0;

/** A small, well-lit JPEG that differs from every other of this test file, with shuffled shades. */
export function smallJpeg(width = 320, height = 240): Promise<Buffer> {
  const picture = (++pictures * 7919) % SHADES ** 3;
  const shade = (channel: number) => 255 - STEP * (Math.floor(picture / SHADES ** channel) % SHADES);
  const background = { r: shade(0), g: shade(1), b: shade(2) };
  return sharp({ create: { width, height, channels: 3, background } })
    .jpeg()
    .toBuffer();
}

/** Records a photograph as a capture does: bytes into storage first, then the row. Returns its id and storage key. */
export async function recordPhotograph(
  { app, clock }: TestApp,
  { flowId, sessionId, area = 'Kitchen', capturedAt = clock.now(), jpeg }: RecordedPhotograph,
): Promise<{ id: string; key: string }> {
  const bytes = jpeg ?? (await smallJpeg());
  const blob = await app.get(BlobStore).put('renditions', bytes, '.jpg');
  const { width, height } = await sharp(bytes).metadata();
  const id = randomUUID();
  const { key, name, type, service } = areaNamed(area);
  await app.get(WriteGate).write(async (tx) => {
    await tx.run(
      `INSERT INTO inspection_sessions (flow_id, session_id, arrivals, created_at, updated_at) VALUES (?, ?, 0, ?, ?)
       ON CONFLICT DO NOTHING`,
      [flowId, sessionId, clock.now(), clock.now()],
    );
    await tx.run(
      `INSERT INTO photographs (id, flow_id, session_id, area_key, area_name, area_type, service, captured_at, source,
         received_at, arrival, format, sha256, bytes, original_key, original_width, original_height, rendition_key,
         rendition_sha256, rendition_bytes, width, height, execution_id)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'captureTs', ?, ?, 'jpeg', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      [
        ...[id, flowId, sessionId, key, name, type, service ?? null, capturedAt, clock.now(), ++arrival],
        ...[
          blob.sha256,
          blob.bytes,
          blob.key,
          width,
          height,
          blob.key,
          blob.sha256,
          blob.bytes,
          width,
          height,
        ],
        randomUUID(),
      ],
    );
  });
  return { id, key: blob.key };
}
