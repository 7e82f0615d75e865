import { parseJson } from '../../common/json/json-text.js';
import { InvalidRequest, ServiceError } from '../../common/service-error.js';
import { checkPrediction } from './prediction-body.js';

const pathsOf = (body: unknown): string[] => {
  try {
    checkPrediction(body);
  } catch (error) {
    if (error instanceof InvalidRequest) return error.errors.map(({ path }) => path);
    throw error;
  }
  return [];
};

describe('the body of a prediction', () => {
  it('needs a question, unless it carries a form or a human answer', () => {
    expect(pathsOf({})).toEqual(['question']);
    expect(pathsOf({ question: '' })).toEqual(['question']);
    expect(pathsOf({ question: null })).toEqual(['question']);
    expect(checkPrediction({ form: { city: 'Leeds', rooms: 3 } }).question).toBe('city: Leeds\nrooms: 3');
    expect(checkPrediction({ humanInput: { type: 'proceed', startNodeId: 'n' } }).question).toBe('Proceed');
    const upload = { data: 'data:text/plain;base64,aGk=', type: 'file', name: 'a.txt' };
    expect(checkPrediction({ question: '', uploads: [upload] }).question).toBe('');
  });

  it('streams for true, 1 and their texts in any case, and for nothing else', () => {
    const streaming = (value: unknown) => checkPrediction({ question: 'q', streaming: value }).streaming;
    for (const yes of [true, 1, '1', 'true', 'True', 'TRUE']) expect(streaming(yes)).toBe(true);
    for (const no of [false, 0, 2, '0', 'false', 'yes', '', 'true ', null, undefined, {}, [true]])
      expect(streaming(no)).toBe(false);
  });

  it('counts as absent what is null, and some members where they are empty', () => {
    const names = ['chatId', 'overrideConfig', 'uploads', 'form', 'history', 'humanInput', 'leadEmail'];
    const nulls = Object.fromEntries([...names, 'streaming', 'callbackUrl'].map((name) => [name, null]));
    const bare = checkPrediction({ question: 'q' });
    expect(checkPrediction({ question: 'q', ...nulls })).toEqual(bare);
    expect(checkPrediction({ question: 'q', chatId: '', overrideConfig: '', uploads: '' })).toEqual(bare);
    for (const sessionId of ['', null])
      expect(checkPrediction({ question: 'q', overrideConfig: { sessionId } })).toEqual(bare);
    const overrideConfig = { sessionId: null, vars: null, startState: null };
    expect(checkPrediction({ question: 'q', overrideConfig })).toEqual(bare);
    const click = { type: 'proceed', startNodeId: 'n' };
    expect(checkPrediction({ humanInput: { ...click, feedback: null } }).humanInput).toEqual(click);
    expect(pathsOf({ question: 'q', form: '', history: '' })).toEqual(['form', 'history']);
  });

  it('reads a number as the name of its chat', () => {
    const chatOf = (chatId: unknown) => checkPrediction({ question: 'q', chatId }).chatId;
    expect([5, 0, 447700900123, -7, 1e21, 1.5].map(chatOf)).toEqual([
      ...['5', '0', '447700900123', '-7', '1000000000000000000000', '1.5'],
    ]);
    expect(checkPrediction({ question: 'q', overrideConfig: { sessionId: 0 } }).chatId).toBe('0');
  });

  it('takes the session from chatId, else from overrideConfig.sessionId', () => {
    const both = checkPrediction({ question: 'q', chatId: 'c', overrideConfig: { sessionId: 's' } });
    expect([both.chatId, both.sessionId]).toEqual(['c', 's']);
    expect(checkPrediction({ question: 'q', overrideConfig: { sessionId: 's' } }).chatId).toBe('s');
    expect(checkPrediction({ question: 'q' }).chatId).toBeUndefined();
  });

  it('refuses session identifiers that are no text, too long, or have control characters', () => {
    for (const chatId of ['x'.repeat(257), 'a\nb', 'a\u0000b', 'a\u007fb', true, NaN, {}, ['a']])
      expect(pathsOf({ question: 'q', chatId })).toEqual(['chatId']);
    expect(pathsOf(parseJson('{"question":"q","chatId":"a\\u0000b"}'))).toEqual(['chatId']);
    expect(pathsOf({ question: 'q', overrideConfig: { sessionId: true } })).toEqual([
      'overrideConfig.sessionId',
    ]);
    expect(pathsOf({ question: 'q', chatId: 'x'.repeat(256) })).toEqual([]);
  });

  it('names every member of a wrong type by its path', () => {
    const wrong = { question: 5, overrideConfig: [], uploads: {}, form: 'f', history: {}, humanInput: 'yes' };
    expect(pathsOf(wrong).sort()).toEqual(Object.keys(wrong).sort());
    expect(pathsOf({ question: 'q', overrideConfig: { vars: 'x', startState: 3 } })).toEqual([
      'overrideConfig.vars',
      'overrideConfig.startState',
    ]);
    expect(pathsOf([])).toContain('');
  });

  it('ignores members that it does not know', () => {
    expect(checkPrediction({ question: 'q', chatflowId: 'f', extra: { a: 1 } })).not.toHaveProperty('extra');
  });

  it('keeps variables with any name, __proto__ included', () => {
    const body = parseJson('{"question":"q","overrideConfig":{"vars":{"__proto__":"p","constructor":"c"}}}');
    const { vars } = checkPrediction(body);
    expect([...vars]).toEqual([
      ['__proto__', 'p'],
      ['constructor', 'c'],
    ]);
    expect(({} as Record<string, unknown>)['p']).toBeUndefined();
  });

  it('takes startState as an object or as a list of key and value', () => {
    const state = (startState: unknown) =>
      Object.fromEntries(checkPrediction({ question: 'q', overrideConfig: { startState } }).startState);
    expect(state({ a: 1 })).toEqual({ a: 1 });
    expect(state([{ key: 'a', value: 1 }])).toEqual({ a: 1 });
  });

  it('names a broken upload with its index', () => {
    const good = { data: 'data:image/png;base64,iVBORw==', type: 'file', name: 'a.png', mime: 'image/png' };
    const broken: unknown[] = [
      'text',
      null,
      {},
      { ...good, data: 'data:image/png;base64,iVBORw=w' },
      { ...good, data: 'data:image/png;base64,iVB*Rw==' },
      { ...good, data: 'data:image/png;base64,' },
      { ...good, data: 'data:image/png,abc' },
      { ...good, data: 'no uri' },
      { ...good, data: 7 },
      { ...good, type: 'exe' },
      { ...good, name: 5 },
      { type: 'url', data: 'https://' },
    ];
    for (const item of broken)
      expect(pathsOf({ question: 'q', uploads: [good, item] })).toEqual(['uploads.1']);
  });

  it('decodes data URIs and passes addresses on', () => {
    const { uploads } = checkPrediction({
      question: 'q',
      uploads: [
        { data: 'data:audio/webm;codecs=opus;base64,aGVsbG8=', type: 'audio', name: 'v.webm' },
        { data: 'https://files.example/a.jpg', type: 'url', name: 'a.jpg', mime: 'image/jpeg' },
        { data: 'the text of a letter', type: 'file:full', name: 'letter.txt' },
      ],
    });
    expect(uploads[0]).toMatchObject({ type: 'audio', mime: 'audio/webm', name: 'v.webm' });
    expect(Buffer.from(uploads[0]!.bytes!).toString()).toBe('hello');
    expect(uploads[1]).toEqual({
      type: 'url',
      name: 'a.jpg',
      mime: 'image/jpeg',
      url: 'https://files.example/a.jpg',
    });
    expect(Buffer.from(uploads[2]!.bytes!).toString()).toBe('the text of a letter');
  });

  it('takes the text of a document as it is, whatever it begins with', () => {
    for (const data of [
      'https://a.example/1\nhttps://b.example/2\n',
      'HTTP://a.example is down',
      'data:\n  - a: 1',
    ]) {
      const { uploads } = checkPrediction({
        question: 'q',
        uploads: [{ data, type: 'file:full', name: 'a.txt' }],
      });
      expect(uploads[0]).toEqual({
        type: 'file:full',
        name: 'a.txt',
        mime: 'text/plain',
        bytes: Buffer.from(data),
      });
    }
    const [address, encoded] = checkPrediction({
      question: 'q',
      uploads: ['https://a.example/1', 'data:text/plain;base64,aGk='].map((data) => ({
        data,
        type: 'file:full',
      })),
    }).uploads;
    expect(address).toMatchObject({ type: 'url', url: 'https://a.example/1' });
    expect(Buffer.from(encoded!.bytes!).toString()).toBe('hi');
    for (const data of ['data:text/plain;base64,a*', 'data:text/plain,abc'])
      expect(pathsOf({ question: 'q', uploads: [{ data, type: 'file:full' }] })).toEqual(['uploads.0']);
  });

  it('is 413 question_too_long beyond 1 MiB of question', () => {
    expect(checkPrediction({ question: 'x'.repeat(1024 * 1024) }).question).toHaveLength(1024 * 1024);
    const tooLong = () => checkPrediction({ question: 'x'.repeat(1024 * 1024 + 1) });
    expect(tooLong).toThrow(ServiceError);
    expect(tooLong).toThrow(expect.objectContaining({ status: 413, code: 'question_too_long' }));
    expect(() => checkPrediction({ question: 'é'.repeat(600_000) })).toThrow(
      expect.objectContaining({ status: 413 }),
    );
  });

  it('has the same limit for the question that a form stands for', () => {
    const asked = (words: number) => checkPrediction({ form: { room: 'x'.repeat(words) } }).question;
    expect(asked(1024)).toMatch(/^room: x+$/);
    expect(() => asked(1024 * 1024)).toThrow(
      expect.objectContaining({ status: 413, code: 'question_too_long' }),
    );
  });
});
