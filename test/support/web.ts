import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import net from 'node:net';
import { join, resolve } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

const CHROMIUM = '/usr/bin/chromium';

/** Builds the web pages if they are missing or older than their sources. */
export function buildPages(): void {
  const script = join(resolve(__dirname, '..', '..'), 'scripts', 'ensure-web.mjs');
  const { status, stderr } = spawnSync(process.execPath, [script], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`the web pages could not be built:\n${stderr}`);
}

/** Whether there is a browser to test with; under REQUIRE_SERVICES=1 there must be. */
export function browserExists(): boolean {
  const found = existsSync(CHROMIUM);
  if (!found && process.env['REQUIRE_SERVICES'] === '1')
    throw new Error(`Chromium is not at ${CHROMIUM} and REQUIRE_SERVICES=1`);
  if (!found) process.stderr.write(`SKIPPED: Chromium is not at ${CHROMIUM}\n`);
  return found;
}

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });

/** A network between browser and service that can be cut. */
export interface Network {
  url: string;
  /** Breaks every connection, and refuses new ones until it is mended. */
  cut(): void;
  mend(): void;
  close(): Promise<void>;
}

export async function startNetwork(serviceUrl: string): Promise<Network> {
  const port = Number(new URL(serviceUrl).port);
  const sockets = new Set<net.Socket>();
  let down = false;
  const server = net.createServer((near) => {
    if (down) return near.destroy();
    const far = net.connect(port, '127.0.0.1');
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => (sockets.delete(socket), other.destroy()));
      socket.pipe(other);
    }
    return undefined;
  });
  const cut = () => {
    down = true;
    for (const socket of sockets) socket.destroy();
  };
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as net.AddressInfo).port}`,
    cut,
    mend: () => (down = false),
    close: () => (cut(), new Promise((done) => server.close(() => done()))),
  };
}
