import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startTestApp, type TestApp } from './support/app.js';
import { makePlace } from './support/databases.js';
import { FLOWISE_FOLDER, hasFlowise, moveInto } from './support/flowise.js';
import { ServiceClient } from './support/service-client.js';

interface ExpectedMessage {
  role: string;
  content: string;
}

interface ExpectedChat {
  chatId: string;
  messages: number;
  first: ExpectedMessage;
  last: ExpectedMessage;
  uploads: { name: string; mime: string; type: string }[];
}

interface Expected {
  flows: {
    id: string;
    name: string;
    carriedOver: boolean;
    apikeyid: string | null;
    perChat: ExpectedChat[];
  }[];
  apiKeys: { id: string; key: string }[];
  feedback: {
    flow: string;
    chatId: string;
    messageId: string;
    rating: string;
    content: string;
    answer: string;
  }[];
  leads: { flow: string; chatId: string; name: string; email: string; phone: string }[];
  uploads: { path: string; bytes: number; sha256: string }[];
}

interface Shown {
  id: string;
  role: string;
  content: string;
  createdAt: string;
  uploads?: { type: string; name: string; mime: string }[];
}

const ARGS = [
  ...['--database', join(FLOWISE_FOLDER, 'database.sqlite')],
  ...['--key', join(FLOWISE_FOLDER, 'encryption.key')],
  ...['--storage', join(FLOWISE_FOLDER, 'storage')],
];
const ROLES: Record<string, string> = { userMessage: 'user', apiMessage: 'assistant' };

(hasFlowise ? describe : describe.skip)('the history that npm run import:flowise moves', () => {
  let service: TestApp;
  let expected: Expected;
  let out: string;
  const client = new ServiceClient(() => service);

  beforeAll(async () => {
    expected = JSON.parse(readFileSync(join(FLOWISE_FOLDER, 'expected.json'), 'utf8')) as Expected;
    const place = await makePlace();
    const end = await moveInto(place, ARGS);
    expect([end.code, end.wrong]).toEqual([0, '']);
    out = end.out;
    service = await startTestApp({ place });
  });
  afterAll(() => service.close());

  const carried = () => expected.flows.filter(({ carriedOver }) => carriedOver);
  const flowNamed = (name: string) => expected.flows.find((flow) => flow.name === name)!;

  /** Returns the messages, oldest first, read in small pages. */
  async function messagesOf(flowId: string, chatId: string): Promise<Shown[]> {
    const messages: Shown[] = [];
    for (let cursor: string | undefined; ;) {
      const query = new URLSearchParams({ chatId, limit: '3', ...(cursor && { cursor }) }).toString();
      const { body } = await client.admin('GET', `chatmessage/${flowId}?${query}`);
      messages.push(...(body.data as Shown[]));
      if (body.nextCursor === null) return messages.reverse();
      cursor = body.nextCursor as string;
    }
  }

  it('has every message of every chat, in order, with its time and id', async () => {
    for (const { id, name, perChat } of carried()) {
      for (const chat of perChat) {
        const messages = await messagesOf(id, chat.chatId);
        const ends = [messages[0], messages.at(-1)].map((one) => [one?.role, one?.content]);
        expect([name, chat.chatId, messages.length, ...ends]).toEqual([
          ...[name, chat.chatId, chat.messages],
          ...[chat.first, chat.last].map(({ role, content }) => [ROLES[role], content]),
        ]);
        const times = messages.map(({ createdAt }) => createdAt);
        expect(times).toEqual([...times].sort());
        expect(times[0]).toMatch(/^2026-11-22T04:50:\d\d\.\d{3}Z$/);
        expect(messages.flatMap(({ uploads = [] }) => uploads)).toEqual(
          chat.uploads.map(({ type, name, mime }) => ({ type, name, mime })),
        );
      }
    }
    const { id } = flowNamed('Inspection desk');
    expect((await messagesOf(id, '+60123456789'))[0]!.id).toBe('da86fd19-9e94-49bf-91ba-9b3c0a6c510f');
  });

  it('has the feedback, with the rated answers, and the leads', async () => {
    for (const { id, name, carriedOver } of expected.flows) {
      const [feedback, leads] = await Promise.all(
        ['feedback', 'leads'].map(async (list) => client.admin('GET', `${list}/${id}`)),
      );
      if (!carriedOver) expect([feedback!.status, leads!.status]).toEqual([404, 404]);
      else {
        const opinion = wanted('chatId', 'messageId', 'rating', 'content', 'answer');
        const contact = wanted('chatId', 'name', 'email', 'phone');
        const ofFlow = <Item extends { flow: string }>(list: Item[]) =>
          list.filter(({ flow }) => flow === name);
        expect(new Set(feedback!.body.data.map(opinion))).toEqual(
          new Set(ofFlow(expected.feedback).map(opinion)),
        );
        expect(new Set(leads!.body.data.map(contact))).toEqual(new Set(ofFlow(expected.leads).map(contact)));
      }
    }
  });

  it('has the uploads, byte for byte, under the names that clients use', async () => {
    expect(expected.uploads.length).toBeGreaterThan(0);
    for (const { path, bytes, sha256 } of expected.uploads) {
      const [, , chatflowId, chatId, fileName] = path.split('/') as [string, string, string, string, string];
      const query = new URLSearchParams({ chatflowId, chatId, fileName }).toString();
      const { apikeyid } = expected.flows.find(({ id }) => id === chatflowId)!;
      const { key } = expected.apiKeys.find(({ id }) => id === apikeyid)!;
      const url = `${service.url}/api/v1/get-upload-file?${query}`;
      const file = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
      const content = Buffer.from(await file.arrayBuffer());
      expect([content.length, createHash('sha256').update(content).digest('hex')]).toEqual([bytes, sha256]);
      expect((await fetch(url)).status).toBe(401);
    }
  });

  it('reports how much was imported, and what was not', () => {
    expect(out).toMatch(/^messages +76 +0 +0 +8$/m);
    expect(out).toMatch(/^chats +16 +0 +0 +0$/m);
    expect(out).toMatch(/^feedback +4 +0 +0 +1$/m);
    expect(out).toMatch(/^leads +3 +0 +0 +0$/m);
    expect(out).toMatch(/^files +2 +0 +0 +0$/m);
    expect(out).toContain('Messages that ask for an approval that was never given: 1;');
  });

  it('does not change when it is imported again, and stays in order after the chat continued', async () => {
    const { id } = flowNamed('Echo');
    const chatId = '+60123456789';
    const before = await messagesOf(id, chatId);
    const predicted = await client.predict(id, { question: 'and on', chatId });
    expect(predicted.status).toBe(200);
    const again = await moveInto(service.place, ARGS);
    expect(again.out).toMatch(/^messages +0 +76 +0 +8$/m);
    expect(again.out).toMatch(/^files +0 +2 +0 +0$/m);
    const after = await messagesOf(id, chatId);
    expect(after.slice(0, -2)).toEqual(before);
    expect(after.slice(-2).map(({ content }) => content)).toEqual(['and on', predicted.body.text]);
  });
});

const wanted =
  (...members: string[]) =>
  (item: object) =>
    Object.fromEntries(Object.entries(item).filter(([name]) => members.includes(name)));
