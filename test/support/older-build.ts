import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** A service whose pages are those of an older build until the next one is deployed. */
export interface OlderBuild {
  url: string;
  deploy(): void;
  close(): Promise<void>;
}

const PAGES = /^\/(?:chat|web)\//;
const OLDER = /-older(\.(?:js|css|svg))$/;

/** Gives the files in a page, script or worker the names of an older build, and the worker another version. */
const older = (text: string): string =>
  text
    .replace(/((?:assets\/|\.\/)[\w-]+)(\.(?:js|css|svg))\b/g, '$1-older$2')
    .replace(/\b[0-9a-f]{16}\b/g, 'fedcba9876543210');

/** Stands before a service, and renames the files of its pages as another build names them. */
export async function startOlderBuild(serviceUrl: string): Promise<OlderBuild> {
  let isOlder = true;
  const server = http.createServer((request, response) => {
    const path = request.url ?? '/';
    const rewrites = isOlder && PAGES.test(path);
    const { 'if-none-match': _tag, 'if-modified-since': _time, ...asked } = request.headers;
    const sent = rewrites ? { ...asked, 'accept-encoding': 'identity' } : request.headers;
    const target = new URL(rewrites ? path.replace(OLDER, '$1') : path, serviceUrl);
    const far = http.request(target, { method: request.method, headers: sent }, (answer) => {
      const { statusCode = 500, headers } = answer;
      if (!rewrites || !/html|javascript|css/.test(headers['content-type'] ?? '')) {
        response.writeHead(statusCode, headers);
        return void answer.pipe(response);
      }
      const pieces: Buffer[] = [];
      answer.on('data', (piece: Buffer) => pieces.push(piece));
      answer.on('end', () => {
        // Without validators: the next build is a new answer.
        const { 'content-length': _length, etag: _etag, 'last-modified': _time, ...others } = headers;
        response.writeHead(statusCode, others).end(older(Buffer.concat(pieces).toString('utf8')));
      });
    });
    far.on('error', () => response.destroy());
    response.on('close', () => far.destroy());
    request.pipe(far);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    deploy: () => (isOlder = false),
    close: () => {
      server.closeAllConnections();
      return new Promise((done) => server.close(() => done()));
    },
  };
}
