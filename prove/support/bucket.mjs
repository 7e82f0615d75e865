/**
 * An S3 bucket of a proof's own: `s3rver` on loopback, over a temporary directory. As in S3, an object is there whole or not
 * at all, and once its PUT is answered: `s3rver` by itself writes under the key while the bytes come.
 */
import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** The account that `s3rver` knows. */
const ACCOUNT = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' };

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
  store.putObject = (object) => putWhole(store, object);
  // It can make no second page (its cipher is gone from OpenSSL): all objects are one.
  const list = store.listObjects.bind(store);
  store.listObjects = (bucket, asked) => list(bucket, { ...asked, maxKeys: Infinity });
  const { port } = await server.run();
  return {
    endpoint: `http://127.0.0.1:${port}`,
    async close() {
      server.httpServer.closeAllConnections();
      await server.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Rejects where the bytes break off; nothing lies under the key then. */
async function putWhole(store, { bucket, key, metadata, content }) {
  const path = store.getResourcePath(bucket, key, 'object');
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
    const md5 = hash.digest('hex');
    await rename(draft, path);
    await store.putMetadata(bucket, key, metadata, md5);
    return { size, md5 };
  } finally {
    await rm(draft, { force: true });
  }
}
