/**
 * An S3 bucket of a proof's or a test's own: `s3rver` on loopback, over a temporary directory. As in S3, an object is there
 * whole or not at all, and once its PUT is answered: `s3rver` by itself writes under the key while the bytes come, and
 * answers before the disk has taken the last of them.
 */
import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** The account that `s3rver` knows. */
export const ACCOUNT = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' };

/** The variables of a service whose blobs lie in the bucket at this endpoint. */
export const bucketEnv = (endpoint) => ({
  STORAGE_URL: `s3://blobs/proof?endpoint=${encodeURIComponent(endpoint)}&region=eu-central-1`,
  ...ACCOUNT,
});

/** The class of the server; undefined where the package is not installed. */
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
  // Clients that go away are what this is for.
  server.on('error', () => undefined);
  const { store } = server;
  store.putObject = (object) => putObject(store, object);
  store.putPart = (...part) => putPart(store, ...part);
  // It can make no second page (its cipher is gone from OpenSSL): all objects are one.
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
      // Clients keep their connections for the next call.
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

/** Rejects where the bytes break off; nothing lies at the path then. */
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
