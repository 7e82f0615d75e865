import { ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import {
  type ClientRequest,
  createServer,
  type IncomingMessage,
  request as callUpstream,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

/** A fault of a call: an error is answered, its body or that of the answer is cut, the answer is lost, or none ever comes. */
export type S3Fault =
  | { kind: 'error'; status: number; code: string }
  | { kind: 'cut'; after: number }
  /** After so many bytes of its own body. */
  | { kind: 'torn'; after: number }
  | { kind: 'lost' }
  | { kind: 'silent' }
  | { kind: 'slow'; ms: number }
  /** A range is not minded: the whole object comes. */
  | { kind: 'whole' };

/** A call as it reached the bucket: `PUT /blobs/key`, and the words of its query. */
export interface S3Call {
  method: string;
  path: string;
  query: URLSearchParams;
  /** As it was sent, in base64. */
  md5: string | undefined;
}

/** A bucket behind a way that fails as it is told to. */
export interface FaultyS3 {
  endpoint: string;
  /** Every call so far. */
  calls: S3Call[];
  /** Asked for each call; none until it is set. */
  fault: (call: S3Call) => S3Fault | undefined;
  /** Keys that are listed at a time; those that are not listed though they are there, and the other way round. */
  listing: { page: number; hidden: Set<string>; gone: Set<string> };
  close(): Promise<void>;
}

/** The next so many calls of a kind have this fault. */
export const times = (
  count: number,
  method: string,
  fault: S3Fault,
  where: (call: S3Call) => boolean = () => true,
): FaultyS3['fault'] => {
  let left = count;
  return (call) => (call.method === method && where(call) && left-- > 0 ? fault : undefined);
};

export async function startFaultyS3(upstream: string): Promise<FaultyS3> {
  const lists = new S3Client({
    ...{ endpoint: upstream, region: 'eu-central-1', forcePathStyle: true },
    credentials: { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
  });
  const server = createServer((incoming, answer) => void serve(incoming, answer));
  const faulty: FaultyS3 = {
    endpoint: '',
    calls: [],
    fault: () => undefined,
    listing: { page: 1_000, hidden: new Set(), gone: new Set() },
    close: async () => {
      lists.destroy();
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };

  async function serve(incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
    const { pathname: path, searchParams: query } = new URL(incoming.url!, upstream);
    const md5 = incoming.headers['content-md5'] as string | undefined;
    const call = { method: incoming.method!, path, query, md5 };
    faulty.calls.push(call);
    const fault = faulty.fault(call);
    if (fault?.kind === 'silent') return;
    if (fault?.kind === 'error') return refuse(incoming, answer, fault);
    if (fault?.kind === 'slow') await new Promise((resolve) => setTimeout(resolve, fault.ms));
    if (query.get('list-type') === '2') return list(call, answer);
    const { method, url, headers } = incoming;
    if (fault?.kind === 'whole') delete headers.range;
    const onward = callUpstream(upstream + url!, { method, headers }, (given) => {
      if (fault?.kind === 'lost') return void given.resume().once('end', () => incoming.socket.destroy());
      answer.writeHead(given.statusCode!, given.headers);
      if (fault?.kind === 'cut') return cut(given, answer, fault.after);
      given.pipe(answer);
    });
    onward.once('error', () => answer.destroy());
    if (fault?.kind === 'torn') return tear(incoming, onward, fault.after);
    incoming.pipe(onward);
  }

  async function list({ path, query }: S3Call, answer: ServerResponse): Promise<void> {
    const [, Bucket = ''] = path.split('/');
    const { Contents = [] } = await lists.send(
      new ListObjectsV2Command({ Bucket, Prefix: query.get('prefix') ?? '' }),
    );
    const there = Contents.map(({ Key, Size, LastModified }) => ({ Key: Key!, Size, LastModified }));
    for (const Key of faulty.listing.gone) there.push({ Key, Size: 1, LastModified: new Date(0) });
    const listed = there.filter(({ Key }) => !faulty.listing.hidden.has(Key));
    const from = Number(query.get('continuation-token') ?? 0);
    const next = from + faulty.listing.page;
    const rows = listed
      .slice(from, next)
      .map(
        ({ Key, Size, LastModified }) =>
          `<Contents><Key>${Key}</Key><Size>${Size}</Size><LastModified>${LastModified!.toISOString()}</LastModified></Contents>`,
      );
    const more = next < listed.length;
    answer.setHeader('Content-Type', 'application/xml');
    answer.end(
      `<ListBucketResult><IsTruncated>${more}</IsTruncated>${more ? `<NextContinuationToken>${next}</NextContinuationToken>` : ''}${rows.join('')}</ListBucketResult>`,
    );
  }

  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  faulty.endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return faulty;
}

function refuse(
  incoming: IncomingMessage,
  answer: ServerResponse,
  { status, code }: { status: number; code: string },
): void {
  incoming.resume().once('end', () => {
    answer.writeHead(status, { 'Content-Type': 'application/xml' });
    answer.end(`<Error><Code>${code}</Code><Message>as it was told to</Message></Error>`);
  });
}

/** Lets so many bytes of the call's body through, and breaks both connections off. */
function tear(incoming: IncomingMessage, onward: ClientRequest, after: number): void {
  let left = after;
  incoming.on('data', (chunk: Buffer) => {
    if (left <= 0) return;
    onward.write(chunk.subarray(0, left));
    left -= chunk.length;
    if (left > 0) return;
    setTimeout(() => {
      onward.destroy();
      incoming.socket.destroy();
    }, 20);
  });
}

/** Sends so many bytes of the body, and breaks the connection off. */
function cut(given: IncomingMessage, answer: ServerResponse, after: number): void {
  let left = after;
  answer.flushHeaders();
  given.on('data', (chunk: Buffer) => {
    if (left < 0) return;
    if (left > 0) answer.write(chunk.subarray(0, left));
    left -= chunk.length;
    if (left < 0) setTimeout(() => answer.destroy(), 20);
  });
  given.once('end', () => left >= 0 && answer.end());
}
