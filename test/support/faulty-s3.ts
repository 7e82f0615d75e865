import { ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import {
  type ClientRequest,
  createServer,
  type IncomingMessage,
  request as callUpstream,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

/** A fault of a call: an error answer, a cut request or answer body, a lost answer, or no answer at all. */
export type S3Fault =
  | { kind: 'error'; status: number; code: string }
  | { kind: 'cut'; after: number }
  /** Breaks off after this many bytes of the request body. */
  | { kind: 'torn'; after: number }
  | { kind: 'lost' }
  | { kind: 'silent' }
  | { kind: 'slow'; ms: number }
  /** Ignores the range and returns the whole object. */
  | { kind: 'whole' };

/** A call received by the bucket: `PUT /blobs/key`, and its query parameters. */
export interface S3Call {
  method: string;
  path: string;
  query: URLSearchParams;
  /** The header as sent, in base64. */
  md5: string | undefined;
}

/** A bucket behind a proxy with scripted faults. */
export interface FaultyS3 {
  endpoint: string;
  /** Every call so far. */
  calls: S3Call[];
  /** Chooses the fault of each call; none by default. */
  fault: (call: S3Call) => S3Fault | undefined;
  /** Keys per page of a listing; `hidden` ones exist but are not listed, `gone` ones the reverse. */
  listing: { page: number; hidden: Set<string>; gone: Set<string> };
  close(): Promise<void>;
}

/** Returns a chooser that gives the next calls of a kind this fault, this many times. */
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

/** Forwards this many bytes of the request body, and breaks both connections. */
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

/** Sends this many bytes of the answer body, and breaks the connection. */
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
