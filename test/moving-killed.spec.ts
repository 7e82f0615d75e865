import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../src/database/open/data-source.js';
import { startChild } from './support/child-process.js';
import { databases, makePlace, type TestPlace } from './support/databases.js';
import {
  flowiseEncrypted,
  flowiseFlow,
  type FlowiseRows,
  makeFlowiseFile,
  moveInto,
} from './support/flowise.js';
import type { KilledAt } from './support/moving-child.js';
import { postgresReachable } from './support/services.js';

const PASSPHRASE = 'of the other side';
const uuid = (kind: number, count: number) =>
  `1111111${kind}-2222-4333-8444-${String(count).padStart(12, '0')}`;
const times = <Value>(count: number, made: (nth: number) => Value) =>
  Array.from({ length: count }, (_, nth) => made(nth));

/** Two flows of two chats each: 1,200 messages, three files, two ratings, one lead. */
function belongings(): { rows: FlowiseRows; files: Record<string, string> } {
  const flows = times(2, (nth) =>
    flowiseFlow({ name: `flow ${nth}`, apikeyid: nth === 0 ? uuid(1, 1) : null }),
  );
  const ids = flows.map(({ id }) => String(id));
  const createdDate = '2026-01-02 03:04:05';
  const fileUploads = (name: string) => JSON.stringify([{ type: 'stored-file', name, mime: 'text/plain' }]);
  const messages = times(1_200, (nth) => ({
    ...{
      id: uuid(2, nth),
      createdDate,
      chatflowid: ids[nth % 4 < 2 ? 0 : 1]!,
      chatId: `chat ${nth % 8 < 4 ? 1 : 2}`,
    },
    ...(nth % 2 === 0
      ? {
          role: 'userMessage',
          content: `${nth}?`,
          ...(nth < 12 && { fileUploads: fileUploads(`${nth}.txt`) }),
        }
      : { role: 'apiMessage', content: `${nth}` }),
  }));
  const named = messages.filter((message) => 'fileUploads' in message);
  return {
    rows: {
      chat_flow: flows,
      apikey: [{ id: uuid(1, 1), keyName: 'key', apiKey: 'k'.repeat(43), createdDate }],
      credential: [
        {
          ...{
            id: uuid(3, 1),
            name: 'Provider',
            credentialName: 'openAIApi',
            createdDate,
            updatedDate: createdDate,
          },
          encryptedData: flowiseEncrypted({ openAIApiKey: 'sk-p' }, PASSPHRASE),
        },
      ],
      chat_message: messages,
      chat_message_feedback: times(2, (nth) => ({
        ...{ id: uuid(4, nth), chatflowid: ids[0]!, chatId: 'chat 1', createdDate },
        ...{ messageId: uuid(2, 1), rating: 'THUMBS_UP', content: '' },
      })),
      lead: [{ id: uuid(5, 1), chatflowid: ids[1]!, chatId: 'chat 2', name: 'Someone', createdDate }],
    },
    files: Object.fromEntries(
      named.map(({ chatflowid, chatId, content }) => [
        `org/${chatflowid}/${chatId}/${content.slice(0, -1)}.txt`,
        `bytes of ${content}`,
      ]),
    ),
  };
}

/** The tables of an import without random values; secrets are sealed differently each time. */
const KEPT = [
  'SELECT id, definition, created_at, updated_at FROM flows JOIN flow_versions ON flow_id = id ORDER BY id',
  'SELECT id, name, hash, created_at FROM api_keys ORDER BY id',
  'SELECT id, name, kind, created_at, updated_at FROM credentials ORDER BY id',
  'SELECT * FROM chat_turns ORDER BY flow_id, chat_id, id',
  'SELECT flow_id, chat_id, name, mime, bytes, created_at FROM chat_files ORDER BY flow_id, chat_id, name',
  'SELECT * FROM feedback ORDER BY id',
  'SELECT * FROM leads ORDER BY id',
];

describe.each(databases)('an import into %s that is killed', (kind) => {
  let folder: string;
  let whole: unknown[][];
  let args: string[];
  let reachable = true;

  const dumpOf = async ({ databaseUrl }: TestPlace): Promise<unknown[][]> => {
    const dataSource = await new DataSource(dataSourceOptions(databaseUrl)).initialize();
    try {
      const found: unknown[][] = [];
      for (const sql of KEPT) found.push(await dataSource.query<unknown[]>(sql));
      return found;
    } finally {
      await dataSource.destroy();
    }
  };

  beforeAll(async () => {
    reachable = kind === 'sqlite' || (await postgresReachable());
    if (!reachable) return;
    folder = mkdtempSync(join(tmpdir(), 'moving-killed-'));
    const { rows, files } = belongings();
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, 'storage', path)), { recursive: true });
      writeFileSync(join(folder, 'storage', path), text);
    }
    writeFileSync(join(folder, 'key'), PASSPHRASE);
    await makeFlowiseFile(join(folder, 'f.sqlite'), rows, ['synchronous = OFF']);
    args = ['--database', join(folder, 'f.sqlite')];
    args.push('--key', join(folder, 'key'), '--storage', join(folder, 'storage'));
    const place = await makePlace(kind);
    expect((await moveInto(place, args)).code).toBe(0);
    whole = await dumpOf(place);
    await place.remove();
  });
  afterAll(() => {
    if (folder) rmSync(folder, { recursive: true });
  });

  /** The transactions: credential, key, flows (two at once), files and messages, feedback, leads. */
  it.each<[KilledAt, number]>([
    ['before-commit', 1],
    ['after-commit', 2],
    ['before-commit', 3],
    ['after-commit', 4],
    ['after-file', 2],
    ['before-commit', 7],
    ['after-commit', 8],
    ['before-commit', 11],
    ['after-commit', 13],
  ])('%s %i leaves after a repetition the same data as an undisturbed one', async (moment, nth) => {
    if (!reachable) return;
    const place = await makePlace(kind);
    const given = [place.databaseUrl, place.dataDir, moment, String(nth), ...args];
    const { child, exit, firstLine } = startChild('moving-child.ts', given);
    firstLine.catch(() => undefined);
    await exit;
    expect(child.signalCode).toBe('SIGKILL');
    const began = await dumpOf(place);
    expect(began).not.toEqual(whole);
    const again = await moveInto(place, args);
    expect([again.code, again.wrong]).toEqual([0, '']);
    expect(await dumpOf(place)).toEqual(whole);
    const all = {
      flows: 2,
      'API keys': 1,
      credentials: 1,
      chats: 4,
      messages: 1_200,
      feedback: 2,
      leads: 1,
      files: 6,
    };
    const here = whole.map((_, table) => began[table]!.length);
    const moved = (name: string) =>
      new RegExp(`^${name} +(\\d+) +(\\d+) +0 +0$`, 'm').exec(again.out)?.slice(1).map(Number) ?? [];
    for (const [name, count] of Object.entries(all)) {
      const [came = NaN, found = NaN] = moved(name);
      expect([name, came + found]).toEqual([name, count]);
    }
    expect(['flows', 'API keys', 'credentials', 'files'].map((name) => moved(name)[1])).toEqual(
      [0, 1, 2, 4].map((table) => here[table]),
    );
    expect((await moveInto(place, args)).out).toMatch(/^messages +0 +1200 +0 +0$/m);
    await place.remove();
  });
});
