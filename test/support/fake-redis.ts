import { createServer, type AddressInfo, type Socket } from 'node:net';

/** A server that speaks Redis's protocol and stores nothing, for faults that a real one cannot produce at will. */
export interface FakeRedis {
  url: string;
  /**
   * `refuses`: out of memory for writes. `follows`: has become a replica. `hangs`: accepts commands and answers none.
   */
  mode: 'takes' | 'refuses' | 'follows' | 'hangs';
  /** Connections so far. */
  connections: number;
  /** Names of the received commands, in order. */
  readonly commands: string[];
  close(): Promise<void>;
}

const ANSWERS: Readonly<Record<string, string>> = {
  XADD: '$3\r\n1-0\r\n',
  XRANGE: '*0\r\n',
  PEXPIRE: ':1\r\n',
};
const REFUSALS: Readonly<Record<string, string>> = {
  refuses: "-OOM command not allowed when used memory > 'maxmemory'.\r\n",
  follows: "-READONLY You can't write against a read only replica.\r\n",
};

export async function startFakeRedis(): Promise<FakeRedis> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    let text = '';
    fake.connections++;
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    socket.setEncoding('latin1').on('data', (piece) => {
      text += piece.toString();
      for (let command = nextCommand(text); command; command = nextCommand(text)) {
        text = text.slice(command.length);
        fake.commands.push(command.name);
        if (fake.mode === 'hangs') continue;
        const refusal = command.name === 'XADD' ? REFUSALS[fake.mode] : undefined;
        socket.write(refusal ?? ANSWERS[command.name] ?? '+OK\r\n');
      }
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const fake: FakeRedis = {
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mode: 'takes',
    connections: 0,
    commands: [],
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((done) => server.close(() => done()));
    },
  };
  return fake;
}

/** Returns undefined unless the text begins with a complete command. */
function nextCommand(text: string): { name: string; length: number } | undefined {
  const lineAt = (from: number): [value: number, end: number] | undefined => {
    const end = text.indexOf('\r\n', from);
    return end < 0 ? undefined : [Number(text.slice(from + 1, end)), end + 2];
  };
  const head = lineAt(0);
  if (!head) return undefined;
  let [parts, at] = head;
  let name = '';
  for (; parts > 0; parts--) {
    const size = lineAt(at);
    if (!size) return undefined;
    const [length, from] = size;
    if (text.length < from + length + 2) return undefined;
    name ||= text.slice(from, from + length).toUpperCase();
    at = from + length + 2;
  }
  return { name, length: at };
}
