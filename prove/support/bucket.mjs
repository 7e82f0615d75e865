/**
 * The S3 bucket of a proof or a test: `s3rver` on loopback, over a temporary directory. As in S3, an object is complete
 * or absent, and complete once its PUT is answered: plain `s3rver` writes under the key while the bytes arrive, and
 * answers before the last of them is on disk.
 */
import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** The account of `s3rver`. */
export const ACCOUNT = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' };

/** Returns the environment of a service that stores its blobs in the bucket at this endpoint. */
export const bucketEnv = (endpoint) => ({
  STORAGE_URL: `s3://blobs/proof?endpoint=${encodeURIComponent(endpoint)}&region=eu-central-1`,
  ...ACCOUNT,
});

/** Returns the class of the server; undefined if the package is not installed. */
export const s3rver = () =>
  import('s3rver').then(
    (found) => found.default,
    () => undefined,
  );

export async function startBucket() {
  const S3rver = await s3rver();
  const directory = await mkdtemp(join(tmpdir(), 'bucket-'));
  const options = { port: 0, address: '127.0.0.1', silent: true, directory };
  const server = new S3rver({ ...options, configureBuckets: [{ name: 'blobs' }] });
  // Disconnecting clients are part of the proofs.
  server.on('error', () => undefined);
  const { store } = server;
  store.putObject = (object) => putObject(store, object);
  store.putPart = (...part) => putPart(store, ...part);
  // It cannot make a second page (its cipher is gone from OpenSSL), so it lists all objects in one.
  const list = store.listObjects.bind(store);
  store.listObjects = (bucket, asked) => list(bucket, { ...asked, maxKeys: Infinity });
  const { port } = await server.run();
  return {
    endpoint: `http://127.0.0.1:${port}`,
    unref() {
      server.httpServer.unref();
      server.httpServer.on('connection', (socket) => socket.unref());
    },
    async close() {
      // Clients hold their connections open for the next call.
      server.httpServer.closeAllConnections();
      await server.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function putObject(store, { bucket, key, metadata, content }) {
  const put = await writeWhole(store.getResourcePath(bucket, key, 'object'), content);
  await store.putMetadata(bucket, key, metadata, put.md5);
  return put;
}

async function putPart(store, bucket, uploadId, partNumber, content) {
  const path = join(store.getResourcePath(bucket, undefined, 'uploads'), uploadId, String(partNumber));
  const put = await writeWhole(path, content);
  await writeFile(`${path}.md5`, put.md5);
  return put;
}

/** Rejects if the body is incomplete; nothing is stored at the path then. */
async function writeWhole(path, content) {
  const draft = `${path}.${randomUUID()}`;
  const hash = createHash('md5');
  const hashing = new Transform({
    transform: (chunk, _, done) => (hash.update(chunk), done(null, chunk)),
  });
  try {
    await mkdir(dirname(path), { recursive: true });
    await pipeline(
      Buffer.isBuffer(content) ? Readable.from([content]) : content,
      hashing,
      createWriteStream(draft),
    );
    const { size } = await stat(draft);
    await rename(draft, path);
    return { size, md5: hash.digest('hex') };
  } finally {
    await rm(draft, { force: true });
  }
}
