import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseReader } from '../src/database/database-reader.js';
import { SqliteConnection } from '../src/database/sqlite/sqlite-connections.js';
import { startTestApp, type TestApp } from './support/app.js';
import { databases, makePlace, type TestPlace } from './support/databases.js';
import { flowiseFlow, makeFlowiseFile, moveInto } from './support/flowise.js';
import { ServiceClient } from './support/service-client.js';
import { postgresReachable } from './support/services.js';

const uuid = (count: number) => `11111111-2222-4333-8444-${String(count).padStart(12, '0')}`;
const GRAPH = String(flowiseFlow()['flowData']);
const createdDate = '2026-01-02 03:04:05';
const flowRow = (count: number, more: object = {}) => ({
  ...{ id: uuid(count), chatflowid: uuid(1), chatId: 'c', content: `m${count}`, createdDate },
  ...{ role: count % 2 === 1 ? 'userMessage' : 'apiMessage', ...more },
});

describe.each(databases)('a hostile Flowise, imported into %s', (kind) => {
  let place: TestPlace | undefined;
  let service: TestApp | undefined;
  const client = new ServiceClient(() => service!);

  beforeEach(async () => {
    if (kind === 'postgres' && !(await postgresReachable())) return;
    place = await makePlace(kind);
  });
  afterEach(async () => {
    await service?.close({ keep: true });
    service = undefined;
    await place?.remove();
    place = undefined;
  });

  const on = (name: string, test: (place: TestPlace, file: string) => Promise<void>) =>
    it(name, async () => {
      if (place) await test(place, join(place.dataDir, 'flowise.sqlite'));
    });
  const start = async (at: TestPlace) => (service ??= await startTestApp({ place: at }));
  const shown = async (flowId: string, chatId: string) =>
    (await client.admin('GET', `chatmessage/${flowId}?${new URLSearchParams({ chatId }).toString()}`)).body
      .data;

  on('keeps what is said with characters that PostgreSQL cannot store', async (place, file) => {
    await makeFlowiseFile(file, {
      chat_flow: [
        flowiseFlow({
          ...{ id: uuid(1), name: 'nu\0l', workspaceId: 'w\0' },
          chatbotConfig: '{"title":"a\\u0000b","\\u0000":1}',
          apiConfig:
            '{"rateLimit":{"status":true,"limitMax":"5","limitDuration":"60","limitMsg":"x\\u0000\\ud800"}}',
          flowData: GRAPH.replace('You said', 'a\\u0000\\ud800 {{$vars.v}}').replace(
            '"Reply"',
            '"Re\\u0000ply"',
          ),
        }),
      ],
      variable: [{ id: uuid(3), name: 'v', value: 'o\0k', type: 'static', workspaceId: 'w\0' }],
      chat_message: [
        flowRow(1, {
          content: 'a\0b',
          executionId: 'e\0',
          fileUploads: '[{"type":"\\u0000","name":"x\\u0000"}]',
        }),
        flowRow(2, { content: '\ud800' }),
        flowRow(3, { id: 'i\0d', content: Buffer.from([0xff, 0x00, 0x41]) }),
      ],
      chat_message_feedback: [
        {
          id: 'f\0',
          chatflowid: uuid(1),
          chatId: 'c',
          messageId: uuid(2),
          rating: 'THUMBS_UP',
          content: 'x\0',
        },
      ],
      lead: [{ id: 'l\0', chatflowid: uuid(1), chatId: 'c', name: 'n\0', email: '\0', phone: null }],
      apikey: [{ id: 'k\0', keyName: 'n\0', apiKey: 'k'.repeat(30) }],
    });
    const end = await moveInto(place, ['--database', file]);
    expect([end.code, end.wrong]).toEqual([0, '']);
    for (const line of [/^flows +1 /m, /^messages +3 /m, /^feedback +1 /m, /^leads +1 /m, /^API keys +1 /m])
      expect(end.out).toMatch(line);
    await start(place);
    const { status, body } = await client.predict(uuid(1), { question: 'x' });
    expect([status, body.text]).toEqual([200, 'a\ufffd\ufffd o\ufffdk: x']);
    const contents = (await shown(uuid(1), 'c')).map(({ content }: { content: string }) => content);
    expect(contents.sort()).toEqual(['a\ufffdb', '\ufffd', '\ufffd\ufffdA'].sort());
  });

  on(
    'imports large graphs and messages unchanged, and names the graphs that are too large',
    async (place, file) => {
      const long = 'x'.repeat(10_000_000);
      const reply = { name: 'directReplyAgentflow', inputs: {} };
      const many = Array.from({ length: 2_100 }, (_, at) => ({ id: `n${at}`, data: reply }));
      await makeFlowiseFile(file, {
        chat_flow: [
          flowiseFlow({ id: uuid(1), name: 'long', flowData: GRAPH.replace('You said', long) }),
          flowiseFlow({ id: uuid(2), name: 'many' }, many),
        ],
        chat_message: [flowRow(1, { content: 'é'.repeat(5_000_000) }), flowRow(2)],
      });
      const end = await moveInto(place, ['--database', file]);
      expect(end.code).toBe(0);
      expect(end.out).toMatch(
        /flows: "many": its graph cannot be read: export\.nodes: must be at most 2,000 nodes/,
      );
      await start(place);
      expect((await client.predict(uuid(1), { question: '!' })).body.text).toBe(`${long}: !`);
      expect((await shown(uuid(1), 'c')).map(({ content }: { content: string }) => content.length)).toEqual([
        2, 5_000_000,
      ]);
    },
  );

  on('takes dates of every form, and what it has of flows that share a name', async (place, file) => {
    const dates: (string | number)[] = [
      2 ** 53 - 1,
      -5,
      1767323045,
      '0001-01-01 00:00:00',
      '2026-01-02',
      'x',
    ];
    await makeFlowiseFile(file, {
      chat_flow: dates.map((date, at) =>
        flowiseFlow({ id: uuid(at + 1), name: 'same', createdDate: date, updatedDate: date }),
      ),
      lead: dates.map((date, at) => ({ id: uuid(at), chatflowid: uuid(1), chatId: 'c', createdDate: date })),
      chat_message: dates.map((date, at) => flowRow(at, { chatId: `c${at}`, createdDate: date })),
    });
    const end = await moveInto(place, ['--database', file]);
    expect([end.code, end.out]).toEqual([0, expect.stringMatching(/^flows +6 +0 +0 +0$/m)]);
    await start(place);
    const { status, body } = await client.admin('GET', 'flows?limit=200');
    expect([status, body.data.length]).toEqual([200, 6]);
    expect((await client.admin('GET', `flows/${uuid(3)}`)).body.createdAt).toBe('2026-01-02T03:04:05.000Z');
    expect((await client.admin('GET', `leads/${uuid(1)}`)).body.data).toHaveLength(6);
    for (const at of dates.keys()) expect(await shown(uuid(1), `c${at}`)).toHaveLength(1);
  });

  on('doubles no message whose place in its chat changed when the chat went on', async (place) => {
    const [first, timeless, iso, later] = [
      flowRow(1, { content: 'one?' }),
      flowRow(2, { content: 'some time', createdDate: 'never' }),
      flowRow(3, { content: 'two?', createdDate: '2026-01-02T01:00:00.000Z' }),
      flowRow(4, { content: 'last', createdDate: '2026-01-03 00:00:00' }),
    ];
    const between = flowRow(5, { content: 'one second?' });
    for (const [at, messages] of [
      [first, timeless, iso],
      [between, first, timeless, iso, later],
      [between, first, timeless, iso, later],
    ].entries()) {
      const file = join(place.dataDir, `flowise-${at}.sqlite`);
      await makeFlowiseFile(file, { chat_flow: [flowiseFlow({ id: uuid(1) })], chat_message: messages });
      const end = await moveInto(place, ['--database', file]);
      const [came, here] = [
        [3, 0],
        [2, 3],
        [0, 5],
      ][at]!;
      expect(end.out).toMatch(new RegExp(`^messages +${came} +${here} +0 +0$`, 'm'));
    }
    await start(place);
    const contents = (await shown(uuid(1), 'c')).map(({ content }: { content: string }) => content);
    expect(contents.sort()).toEqual(['last', 'one second?', 'one?', 'some time', 'two?']);
  });

  on('is moved by two at once as by one', async (place, file) => {
    const fileUploads = JSON.stringify([{ type: 'stored-file', name: 'a.txt', mime: 'text/plain' }]);
    const upload = join(place.dataDir, 'there', uuid(1), 'c', 'a.txt');
    mkdirSync(dirname(upload), { recursive: true });
    writeFileSync(upload, 'bytes');
    await makeFlowiseFile(file, {
      chat_flow: [flowiseFlow({ id: uuid(1) })],
      chat_message: Array.from({ length: 600 }, (_, at) => flowRow(at + 1, at === 0 ? { fileUploads } : {})),
      lead: [{ id: uuid(1), chatflowid: uuid(1), chatId: 'c', createdDate }],
    });
    const args = ['--database', file, '--storage', join(place.dataDir, 'there')];
    const ends = await Promise.all([moveInto(place, args), moveInto(place, args)]);
    expect(ends.map(({ code, wrong }) => [code, wrong])).toEqual([
      [0, ''],
      [0, ''],
    ]);
    const again = await moveInto(place, args);
    for (const line of [/^flows +0 +1 /m, /^messages +0 +600 /m, /^leads +0 +1 /m, /^files +0 +1 /m])
      expect(again.out).toMatch(line);
    const reader = await start(place);
    const { body } = await client.admin('GET', `flows/${uuid(1)}`);
    expect(body.id).toBe(uuid(1));
    expect(await filesOf(reader)).toEqual([{ count: 1 }]);
  });

  on('of other versions is read as far as it goes', async (place, file) => {
    const connection = await SqliteConnection.open(file, []);
    await connection.exec(
      `CREATE TABLE chat_flow (id varchar, name varchar, flowData text, type varchar, ofTomorrow text);
       CREATE TABLE chat_message (id varchar, role varchar, chatflowid varchar, content text, createdDate datetime, chatId varchar);
       CREATE TABLE apikey (id varchar, keyName varchar);
       CREATE TABLE "of; tomorrow""" (id varchar); INSERT INTO "of; tomorrow""" VALUES ('x')`,
    );
    const row = [uuid(1), 'first', GRAPH, 'AGENTFLOW'];
    const add = 'INSERT INTO chat_flow (id, name, flowData, type) VALUES (?, ?, ?, ?)';
    await connection.run(add, row);
    await connection.run(add, [row[0], 'second', row[2], row[3]]);
    await connection.run(
      `INSERT INTO chat_message VALUES ('m', 'userMessage', ?, 'Hi?', 1767323045123, 'c')`,
      [uuid(1)],
    );
    await connection.close();
    const end = await moveInto(place, ['--database', file]);
    expect(end.code).toBe(0);
    expect(end.out).toMatch(/^flows +1 +0 +0 +1$/m);
    expect(end.out).toContain(`flows: "second": another flow there has its id ${uuid(1)}`);
    expect(end.out).toContain('The table "apikey" could not be read: it has no apiKey.');
    expect(end.out).toContain('has no table "lead"');
    expect(end.out).toContain('"of; tomorrow" (1)": another feature of the other product');
    await start(place);
    expect(await shown(uuid(1), 'c')).toMatchObject([
      { content: 'Hi?', createdAt: '2026-01-02T03:04:05.123Z' },
    ]);
  });
});

const filesOf = ({ app }: TestApp) => app.get(DatabaseReader).all('SELECT count(*) AS count FROM chat_files');
