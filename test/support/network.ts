import net from 'node:net';

/** A network between browser and service that can be cut. */
export interface Network {
  url: string;
  /** Breaks every connection, and refuses new ones until it is repaired. */
  cut(): void;
  mend(): void;
  /** Forwards new connections to another service. */
  lead(serviceUrl: string): void;
  close(): Promise<void>;
}

export async function startNetwork(serviceUrl: string): Promise<Network> {
  let port = Number(new URL(serviceUrl).port);
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
    lead: (url) => (port = Number(new URL(url).port)),
    close: () => (cut(), new Promise((done) => server.close(() => done()))),
  };
}
