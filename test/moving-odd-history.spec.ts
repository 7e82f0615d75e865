import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseReader } from '../src/database/database-reader.js';
import { ConsiderateWrites } from '../src/moving/target/considerate-writes.js';
import { startTestApp, type TestApp } from './support/app.js';
import { makePlace, type TestPlace } from './support/databases.js';
import { type FakeModel, startFakeModel } from './support/fake-model.js';
import {
  type FlowiseRows,
  flowiseFlow,
  makeFlowiseDatabase,
  makeFlowiseFile,
  type MoveEnd,
  moveInto,
} from './support/flowise.js';
import { chatFlow } from './support/flows.js';
import { itOnPostgres } from './support/on-postgres.js';
import { ServiceClient } from './support/service-client.js';
import { postgresReachable } from './support/services.js';

/** The database of one test need not survive a power cut. */
const QUICK = ['synchronous = OFF', 'journal_mode = MEMORY'];

const CHAT = '447700900123';
const uuid = (count: number) => `11111111-2222-4333-8444-${String(count).padStart(12, '0')}`;

let messages = 0;
/** Questions end with a question mark. */
const message = (
  chatflowid: string,
  content: string,
  more: Readonly<Record<string, string>> = {},
): Record<string, string> & { id: string; content: string } => ({
  id: uuid(++messages),
  role: content.endsWith('?') ? 'userMessage' : 'apiMessage',
  ...{ chatflowid, content, chatId: CHAT, sessionId: CHAT, createdDate: '2026-01-02 03:04:05' },
  ...more,
});
const wordsOf = (list: readonly { content: string }[]) => list.map(({ content }) => content);

describe('an odd history that is imported', () => {
  let service: TestApp | undefined;
  let place: TestPlace;
  const client = new ServiceClient(() => service!);

  beforeEach(async () => {
    place = await makePlace();
  });
  afterEach(async () => {
    await service?.close({ keep: true });
    service = undefined;
    await place.remove();
  });

  const start = async () => {
    service ??= await startTestApp({ place });
    return service;
  };

  let files = 0;
  /** Imports these rows from a database file, with these uploaded files. */
  async function move(
    rows: FlowiseRows,
    uploads: Record<string, string> = {},
    ...more: string[]
  ): Promise<MoveEnd> {
    const folder = join(place.dataDir, `there-${++files}`);
    const storage = join(folder, 'storage');
    mkdirSync(storage, { recursive: true });
    for (const [path, content] of Object.entries(uploads)) {
      mkdirSync(dirname(join(storage, path)), { recursive: true });
      writeFileSync(join(storage, path), content);
    }
    await makeFlowiseFile(join(folder, 'database.sqlite'), rows, QUICK);
    return moveInto(place, ['--database', join(folder, 'database.sqlite'), '--storage', storage, ...more]);
  }

  /** Returns the messages, oldest first. */
  async function shown(flowId: unknown, chatId = CHAT): Promise<Record<string, unknown>[]> {
    await start();
    const { body } = await client.admin('GET', `chatmessage/${String(flowId)}?chatId=${chatId}&limit=200`);
    return (body.data as Record<string, unknown>[]).reverse();
  }

  it('preserves the order of messages of one second, also of concurrent runs', async () => {
    const flow = flowiseFlow();
    const said = ['a?', 'b?', 'A', 'B', 'c?', 'C', 'D', 'e?'].map((content) =>
      message(String(flow['id']), content, { executionId: content.toLowerCase()[0]! }),
    );
    const end = await move({ chat_flow: [flow], chat_message: said });
    expect([end.code, end.wrong]).toEqual([0, '']);
    expect(await shown(flow['id'])).toEqual(
      said.map(({ id, content, executionId }) => ({
        ...{ id, content, executionId },
        role: content.endsWith('?') ? 'user' : 'assistant',
        createdAt: '2026-01-02T03:04:05.000Z',
      })),
    );
  });

  it('preserves every storable character, and marks messages without an execution', async () => {
    const flow = flowiseFlow();
    const odd = 'Größe 車 🚗\n\t<b>&amp;</b> {{question}} $& end?';
    const said = [
      message(String(flow['id']), odd),
      message(String(flow['id']), ' '),
      message(String(flow['id']), ''),
    ];
    await move({ chat_flow: [flow], chat_message: said });
    const here = await shown(flow['id']);
    expect(here.map(({ content, executionId }) => [content, executionId])).toEqual([
      [odd, null],
      [' ', null],
      ['', null],
    ]);
  });

  it('counts dangling references and loses nothing silently', async () => {
    const flow = flowiseFlow();
    const flowId = String(flow['id']);
    const common = { chatflowid: flowId, chatId: CHAT, createdDate: '2026-01-02 03:04:05' };
    const stop = message(flowId, 'a stop', { action: '{"id":"1"}' });
    const end = await move({
      chat_flow: [flow],
      chat_message: [
        message(flowId, 'kept?'),
        message('gone', 'lost?'),
        message(flowId, 'no role', { role: 'system' }),
        message(flowId, 'no chat', { chatId: 'x'.repeat(300) }),
        message(flowId, 'no list?', { fileUploads: '[{' }),
        stop,
        message(flowId, 'no time', { createdDate: 'never', usedTools: '[{"tool":"x"}]' }),
      ],
      chat_message_feedback: [
        { id: 'not-a-uuid', ...common, messageId: 'nowhere', rating: 'THUMBS_UP', content: '' },
        { id: uuid(901), ...common, messageId: stop.id, rating: 'SIDEWAYS', content: null },
        { id: uuid(902), ...common, chatflowid: 'gone', messageId: uuid(905), rating: 'THUMBS_UP' },
      ],
      lead: [
        { id: uuid(903), ...common, name: '山田', email: '', phone: null },
        { id: uuid(904), ...common, chatId: '', name: 'Nobody' },
      ],
    });
    expect(end.code).toBe(0);
    for (const line of [
      /^messages +4 +0 +0 +3$/m,
      /^feedback +2 +0 +0 +1$/m,
      /^leads +1 +0 +0 +1$/m,
      /messages: "gone": its flow was not moved/,
      /messages: 1: its role is neither/,
      /messages: 1: its chat id is missing/,
      /Messages whose list of uploads cannot be read in full: 1;/,
      /Messages that ask for an approval that was never given: 1;/,
      /Messages whose time cannot be read: 1;/,
      /Messages with tools, sources, artifacts or reasoning: 1;/,
      /Feedback about messages that are not in the database: 1\./,
      /Feedback with a rating that is neither up nor down/,
    ])
      expect(end.out).toMatch(line);
    expect(wordsOf((await shown(flowId)) as { content: string }[])).toEqual([
      'kept?',
      'no list?',
      'a stop',
      'no time',
    ]);
    const feedback = (await client.admin('GET', `feedback/${flowId}`)).body.data;
    expect(
      feedback
        .map(({ rating, content, question }: Record<string, string>) => [rating, content, question])
        .sort(),
    ).toEqual([
      [null, null, 'no list?'],
      ['THUMBS_UP', '', null],
    ]);
    expect((await client.admin('GET', `leads/${flowId}`)).body.data).toMatchObject([
      { id: uuid(903), name: '山田', email: '', phone: null },
    ]);
  });

  it('reads files from the folder of their chat alone, and reports missing and unreferenced ones', async () => {
    const flow = flowiseFlow();
    const flowId = String(flow['id']);
    const names = ['front.png', '../../../database.sqlite', '/etc/passwd', 'lost.png'];
    const fileUploads = JSON.stringify(
      names.map((name) => ({ type: 'stored-file', name, mime: 'image/png' })),
    );
    const rows = {
      chat_flow: [flow],
      chat_message: [message(flowId, 'See?', { fileUploads }), message(flowId, 'Again?', { fileUploads })],
    };
    const uploads = {
      [`org/${flowId}/${CHAT}/front.png`]: 'front',
      [`org/${flowId}/${CHAT}/unnamed.png`]: 'unnamed',
      ['org/gone/chat/other.png']: 'other',
    };
    const end = await move(rows, uploads);
    expect(end.out).toMatch(/^files +1 +0 +0 +5$/m);
    for (const words of [
      'unnamed.png": no message names it',
      'other.png": it is not in the folder of a moved flow',
      'lost.png": it is not in the folder',
    ])
      expect(end.out).toContain(words);
    await start();
    const read = (fileName: string) =>
      client.admin(
        'GET',
        `get-upload-file?${new URLSearchParams({ chatflowId: flowId, chatId: CHAT, fileName }).toString()}`,
      );
    expect((await read('front.png')).text).toBe('front');
    for (const name of names.slice(1)) expect((await read(name)).status).toBe(404);
    expect((await move(rows, uploads)).out).toMatch(/^files +0 +1 +0 +5$/m);
  });

  it('is completed by a second import after an interruption, with the same result', async () => {
    const flow = flowiseFlow();
    const said = Array.from({ length: 1_200 }, (_, index) =>
      message(String(flow['id']), index % 2 === 0 ? `${index}?` : `${index}`, {
        chatId: `chat ${index % 7 < 3 ? 1 : 2}`,
      }),
    );
    const rows = { chat_flow: [flow], chat_message: said };
    let writes = 0;
    const breaking = jest.spyOn(ConsiderateWrites.prototype, 'write').mockImplementation(function (
      this: ConsiderateWrites,
      work,
    ) {
      if (++writes === 3) throw new Error('the disk is gone');
      return this.after(() => this['gate'].write(work));
    });
    const broken = await move(rows);
    breaking.mockRestore();
    expect([broken.code, broken.wrong.includes('the disk is gone')]).toEqual([1, true]);
    const again = await move(rows);
    const [came, here] = /^messages +(\d+) +(\d+) +0 +0$/m.exec(again.out)!.slice(1).map(Number);
    expect([came! > 0, here! > 0, came! + here!]).toEqual([true, true, 1_200]);
    const reader = (await start()).app.get(DatabaseReader);
    const turns = await reader.all<{ question: string; answer: string }>(
      'SELECT question, answer FROM chat_turns ORDER BY chat_id, id',
    );
    const texts = turns.flatMap(({ question, answer }) => [question, answer]).filter((text) => text !== '');
    const ofChat = (chatId: string) => wordsOf(said.filter((one) => one.chatId === chatId));
    expect(texts).toEqual([...ofChat('chat 1'), ...ofChat('chat 2')]);
  });

  it('takes over the answer to a question that was imported before it was answered', async () => {
    const flow = flowiseFlow();
    const [question, answer] = [message(String(flow['id']), 'Late?'), message(String(flow['id']), 'Here')];
    await move({ chat_flow: [flow], chat_message: [question] });
    const end = await move({ chat_flow: [flow], chat_message: [question, answer] });
    expect(end.out).toMatch(/^messages +1 +1 +0 +0$/m);
    expect((await shown(flow['id'])).map(({ id, content }) => [id, content])).toEqual([
      [question.id, 'Late?'],
      [answer.id, 'Here'],
    ]);
  });

  it('is only reported in a dry run', async () => {
    const flow = flowiseFlow();
    const rows = {
      chat_flow: [flow],
      chat_message: [message(String(flow['id']), 'a?'), message(String(flow['id']), 'A')],
    };
    const end = await move(rows, {}, '--dry-run');
    expect(end.out).toMatch(/^messages +2 +0 +0 +0$/m);
    expect((await move(rows)).out).toMatch(/^messages +2 +0 +0 +0$/m);
    expect((await move(rows, {}, '--dry-run')).out).toMatch(/^messages +0 +2 +0 +0$/m);
  });

  it('ends before anything is written if the folder of uploads does not exist', async () => {
    const folder = join(place.dataDir, 'there');
    mkdirSync(folder);
    await makeFlowiseFile(join(folder, 'database.sqlite'), { chat_flow: [flowiseFlow()] });
    const args = ['--database', join(folder, 'database.sqlite'), '--storage', join(folder, 'none')];
    const end = await moveInto(place, args);
    expect([end.code, end.out, end.wrong.includes('--storage')]).toEqual([2, '', true]);
    await start();
    expect((await client.admin('GET', 'flows')).body.data).toEqual([]);
  });

  describe('is the memory of its chats', () => {
    let model: FakeModel;
    beforeAll(async () => {
      model = await startFakeModel();
    });
    afterAll(() => model.close());

    const memoryOf = async (flowId: string, body: object) => {
      model.requests.length = 0;
      expect((await client.predict(flowId, { question: 'And now?', ...body })).status).toBe(200);
      const history = model.requests[0]!.body.messages as { role: string; content: string }[];
      return history.map(({ role, content }) => [role, content]);
    };

    it.each([
      ['all', undefined, ['One?', 'First', 'Two?', 'Second']],
      ['window', 1, ['Two?', 'Second']],
    ])('of the kind %s, whether the chat or the session is continued', async (kind, size, remembered) => {
      await start();
      const random = '0b0c2d1e-6a3b-4c5d-8e7f-0123456789ab';
      const id = String(flowiseFlow()['id']);
      await client.flow(chatFlow(model.url, { id }, { memory: { kind, ...(size && { size }) } }));
      const said = (chatId: string, sessionId: string) =>
        ['One?', 'First', 'Two?', 'Second'].map((content) => message(id, content, { chatId, sessionId }));
      const end = await move({
        chat_flow: [flowiseFlow({ id })],
        chat_message: [...said(CHAT, 'of both'), ...said(random, 'guest-7')],
      });
      expect(end.out).toMatch(/Messages of callers who named a session and no chat: 4;/);
      const rows = remembered.map((text, index) => [index % 2 === 0 ? 'user' : 'assistant', text]);
      const now = ['user', 'And now?'];
      expect(await memoryOf(id, { chatId: CHAT })).toEqual([...rows, now]);
      expect(await memoryOf(id, { chatId: random })).toEqual([...rows, now]);
      expect(await memoryOf(id, { overrideConfig: { sessionId: 'guest-7' } })).toEqual([...rows, now]);
      expect(await memoryOf(id, { chatId: 'unknown' })).toEqual([now]);
    });
  });

  itOnPostgres('is imported from PostgreSQL as from a file', async () => {
    if (!(await postgresReachable())) return;
    const there = await makePlace('postgres');
    try {
      const flow = flowiseFlow();
      const times = [
        '2026-01-02 03:04:05',
        '2026-01-02 03:04:05.123456',
        '2026-01-02 03:04:05.1239',
        '2026-01-02 03:04:06',
      ];
      const said = ['a?', 'A', 'b?', 'B'].map((content, index) =>
        message(String(flow['id']), content, { createdDate: times[index]! }),
      );
      await makeFlowiseDatabase(there.databaseUrl, { chat_flow: [flow], chat_message: said });
      const end = await moveInto(place, ['--database', there.databaseUrl]);
      expect([end.code, end.wrong]).toEqual([0, '']);
      const times2 = ['05.000', '05.123', '05.123', '06.000'].map((second) => `2026-01-02T03:04:${second}Z`);
      expect((await shown(flow['id'])).map(({ content, createdAt }) => [content, createdAt])).toEqual(
        said.map(({ content }, index) => [content, times2[index]]),
      );
    } finally {
      await there.remove();
    }
  });
});
