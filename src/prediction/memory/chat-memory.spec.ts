import { openTestDatabase, type TestDatabase } from '../../../test/support/test-database.js';
import { ChatMemory, type Turn } from './chat-memory.js';

describe('the memory of a chat', () => {
  let database: TestDatabase;
  let memory: ChatMemory;
  const chat = { flowId: 'f', chatId: 'c' };

  beforeAll(async () => {
    database = await openTestDatabase();
    memory = new ChatMemory(database.reader);
    const turns = [1, 2, 3, 4, 5].map((number): Turn => ({
      ...chat,
      id: `00000000-0000-7000-8000-00000000000${number}`,
      executionId: `e${number}`,
      question: `${number}`.repeat(400_000),
      answer: `answer ${number}`,
      uploads: [],
      at: number,
    }));
    await database.gate.write((tx) => memory.storeTurns(tx, turns));
  });
  afterAll(() => database.close());

  const answers = async (limit?: number, after?: string) =>
    (await memory.history(chat, { limit, after }))
      .filter(({ role }) => role === 'assistant')
      .map(({ content }) => content);

  it('is the newest turns within its size, oldest first', async () => {
    expect(await answers()).toEqual(['answer 4', 'answer 5']);
    expect(await answers(10)).toEqual(['answer 4', 'answer 5']);
    expect(await answers(2)).toEqual(['answer 5']);
  });

  it('tells where older turns are left out for their size, and not where fewer were asked for', async () => {
    const onCut = jest.fn();
    await memory.history(chat, { limit: 4, onCut });
    expect(onCut).not.toHaveBeenCalled();
    await memory.history(chat, { limit: 6, onCut });
    await memory.history(chat, { onCut });
    expect(onCut).toHaveBeenCalledTimes(2);
  });

  it('has the beginnings of a newest turn that alone is too large, and tells so', async () => {
    const large = { flowId: 'f', chatId: 'large' };
    const turns = [1, 2].map((number): Turn => ({
      ...large,
      id: `00000000-0000-7000-8000-10000000000${number}`,
      executionId: `l${number}`,
      question: `${number}`.repeat(number * 600_000),
      answer: `answer ${number}`,
      uploads: [],
      at: number,
    }));
    await database.gate.write((tx) => memory.storeTurns(tx, turns));
    const onCut = jest.fn();
    for (const limit of [undefined, 2])
      expect(await memory.history(large, { limit, onCut })).toEqual([
        { role: 'user', content: '2'.repeat(512 * 1024) },
        { role: 'assistant', content: 'answer 2' },
      ]);
    expect(onCut).toHaveBeenCalledTimes(2);
  });

  it('counts from the turn that it follows', async () => {
    expect(await answers(undefined, 'e3')).toEqual(['answer 2', 'answer 3']);
    expect(await answers(undefined, 'unknown')).toEqual([]);
  });
});
