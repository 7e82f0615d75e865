import { Integer, OctetString } from 'asn1js';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { PKIStatusInfo, TimeStampReq, TimeStampResp } from 'pkijs';

/** The kind of answer: valid, or invalid in one of these ways. */
export type TsaManner =
  | 'right'
  | 'hangs'
  | 'hangs in the middle'
  | 'of other bytes'
  | 'of another question'
  | 'not granted'
  | 'broken signature'
  | 'no stamp at all'
  | 'garbled'
  | 'a fault'
  | 'elsewhere';

const CONFIG = (directory: string): string => `
[ tsa ]
default_tsa = own
[ own ]
serial = ${directory}/serial
signer_cert = ${directory}/tsa.crt
signer_key = ${directory}/tsa.key
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256
ess_cert_id_alg = sha256
`;

/** An RFC 3161 server on loopback that stamps with `openssl ts`. */
export class FakeTsa {
  manner: TsaManner = 'right';
  requests = 0;
  private readonly server: Server;

  constructor(private readonly directory: string) {
    const make = (...args: string[]) => execFileSync('openssl', args, { stdio: 'pipe' });
    const at = (name: string) => join(directory, name);
    make(
      ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '30', '-subj', '/CN=Time Keepers'],
      ...[
        '-addext',
        'extendedKeyUsage=critical,timeStamping',
        '-addext',
        'keyUsage=critical,digitalSignature',
      ],
      ...['-keyout', at('tsa.key'), '-out', at('tsa.crt')],
    );
    writeFileSync(at('tsa.cnf'), CONFIG(directory));
    writeFileSync(at('serial'), '01');
    this.server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        this.requests += 1;
        if (this.manner === 'hangs') return;
        const isFault = this.manner === 'a fault';
        if (this.manner === 'elsewhere') return response.writeHead(302, { location: '/' }).end();
        response.writeHead(isFault ? 503 : 200, { 'content-type': 'application/timestamp-reply' });
        if (this.manner === 'hangs in the middle') return response.write('0');
        response.end(this.reply(Buffer.concat(chunks)));
      });
    });
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/stamps`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private reply(query: Buffer): Buffer {
    if (this.manner === 'no stamp at all') return Buffer.from('<html>Sign in to this network</html>');
    if (this.manner === 'not granted') {
      const refusal = new TimeStampResp({ status: new PKIStatusInfo({ status: 2 }) });
      return Buffer.from(refusal.toSchema().toBER());
    }
    const stampRequest = TimeStampReq.fromBER(query);
    if (this.manner === 'of other bytes')
      stampRequest.messageImprint.hashedMessage = new OctetString({ valueHex: new Uint8Array(32).fill(7) });
    if (this.manner === 'of another question') stampRequest.nonce = new Integer({ value: 12_345 });
    const [queryAt, replyAt] = [join(this.directory, 'query'), join(this.directory, 'reply')];
    writeFileSync(queryAt, Buffer.from(stampRequest.toSchema().toBER()));
    const config = join(this.directory, 'tsa.cnf');
    execFileSync('openssl', ['ts', '-reply', '-config', config, '-queryfile', queryAt, '-out', replyAt], {
      stdio: 'pipe',
    });
    const reply = readFileSync(replyAt);
    // The signature comes last.
    if (this.manner === 'broken signature') reply[reply.length - 20]! ^= 1;
    if (this.manner === 'garbled') reply[(this.requests * 37) % reply.length]! ^= 1 << (this.requests % 8);
    return reply;
  }
}
