import type { Request, Response } from 'express';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const encoders = {
  // Near the best size, in a twentieth of the time.
  br: (bytes: Buffer) =>
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }),
  gzip: (bytes: Buffer) => promisify(gzip)(bytes),
  identity: (bytes: Buffer) => Promise.resolve(bytes),
};

type Encoding = keyof typeof encoders;

const ENCODINGS = ['br', 'gzip', 'identity'] as const satisfies readonly Encoding[];

/**
 * A file that is the same for every client: read when it is first asked for, compressed once in each way that browsers
 * take, off the event loop, and kept.
 */
export class CompressedFile {
  private bytes: Promise<Buffer> | undefined;
  private readonly kept = new Map<Encoding, Promise<Buffer>>();

  constructor(
    private readonly type: string,
    private readonly read: () => Promise<Buffer>,
  ) {}

  /** Rejects when it cannot be read; the next who asks tries again. */
  async send(request: Request, response: Response): Promise<void> {
    const encoding = (request.acceptsEncodings([...ENCODINGS]) || 'identity') as Encoding;
    const bytes = await this.encoded(encoding);
    response.vary('Accept-Encoding');
    response.setHeader('Cache-Control', 'no-cache');
    if (encoding !== 'identity') response.setHeader('Content-Encoding', encoding);
    response.type(this.type).send(bytes);
  }

  private encoded(encoding: Encoding): Promise<Buffer> {
    const known = this.kept.get(encoding);
    if (known) return known;
    this.bytes ??= this.read();
    const made = this.bytes.then(encoders[encoding]);
    this.kept.set(encoding, made);
    made.catch(() => {
      this.bytes = undefined;
      this.kept.delete(encoding);
    });
    return made;
  }
}
