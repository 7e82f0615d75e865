import { setImmediate as nextTurn } from 'node:timers/promises';
import { Piscina } from 'piscina';
import { workerFile } from '../worker-file.js';
import { joined, type JsonPiece } from './json-pieces.js';
import { notJson } from './json-text.js';

/** The message to the thread: a text, and the most values of a piece. */
export interface WideText {
  bytes: Uint8Array<ArrayBuffer>;
  most: number;
}

/** Values of one piece: a few milliseconds of work. */
const PIECE_VALUES = 5_000;

/** Heap of the thread: enough for ten times the usual values. */
const HEAP_MB = 512;
const YOUNG_MB = 4;

/** The queue of wide texts: one thread at a time, so that they do not take all processors. */
let line: Promise<unknown> = Promise.resolve();

/**
 * Parses a text of very many values in a worker thread, and takes the value over piece by piece, so that the event loop
 * stays free. Transfers the bytes. Throws 400 `invalid_request` for a text that is not JSON.
 */
export function parseWide(bytes: Uint8Array<ArrayBuffer>): Promise<unknown> {
  const parsed = line.then(() => piecesFromThread({ bytes, most: PIECE_VALUES }));
  line = parsed.catch(() => undefined);
  return parsed.then((pieces) => {
    if (!pieces) throw notJson();
    return joined(pieces, () => nextTurn());
  });
}

async function piecesFromThread(text: WideText): Promise<readonly JsonPiece[] | undefined> {
  const thread = new Piscina<WideText, JsonPiece[] | undefined>({
    ...workerFile(import.meta.url, 'json-worker'),
    minThreads: 1,
    maxThreads: 1,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: YOUNG_MB },
  });
  try {
    return await thread.run(text, { transferList: [text.bytes.buffer] });
  } finally {
    await thread.destroy();
  }
}
