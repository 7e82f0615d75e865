import { JsonBuffer } from './json-buffer.js';
import { ValueBudget } from './json-limits.js';

/** Parses a text that arrives in pieces. */
async function parsed(text: string | Buffer, { most = 50_000, piece = 1_000, expected = 0 } = {}) {
  const bytes = Buffer.from(text);
  const json = new JsonBuffer(new ValueBudget(most), { expected });
  for (let at = 0; at < bytes.length; at += piece) json.push(bytes.subarray(at, at + piece));
  return json.parse();
}

const tooComplex = expect.objectContaining({ status: 413, code: 'body_too_complex' }) as unknown;
const noJson = expect.objectContaining({ status: 400, code: 'invalid_request' }) as unknown;

describe('a JSON text that arrives', () => {
  it('is parsed whatever its pieces, and whatever length was named', async () => {
    const value = { text: 'é😀'.repeat(10_000), list: [1, 2.5, null, true, { __proto__: null }] };
    const text = JSON.stringify(value);
    for (const expected of [0, 10, text.length, Buffer.byteLength(text), 10 * text.length])
      expect(await parsed(text, { piece: 777, expected })).toEqual(JSON.parse(text));
  });

  it('may have as many values as are allowed, and not one more', async () => {
    const list = (length: number) => JSON.stringify(Array.from({ length }, () => ({})));
    expect(await parsed(list(100), { most: 100 })).toHaveLength(100);
    await expect(parsed(list(101), { most: 100 })).rejects.toEqual(tooComplex);
  });

  it('of more values than usual is parsed in a thread', async () => {
    const value = { '\u0000': Array.from({ length: 60_000 }, (_, index) => index) };
    expect(await parsed(`\ufeff${JSON.stringify(value)}`, { most: 500_000, piece: 65_536 })).toEqual({
      '\ufffd': value['\u0000'],
    });
  });

  it('is refused before it has come whole', () => {
    const json = new JsonBuffer(new ValueBudget(100), { expected: 1_000_000 });
    expect(() => json.push(Buffer.from(`[${'1,'.repeat(101)}`))).toThrow(
      expect.objectContaining({ code: 'body_too_complex' }),
    );
  });

  it('shares its budget with the other texts of the body', () => {
    const budget = new ValueBudget(100);
    const [first, second] = [new JsonBuffer(budget), new JsonBuffer(budget)];
    first.push(Buffer.from(`[${'1,'.repeat(60)}`));
    expect(() => second.push(Buffer.from(`[${'1,'.repeat(60)}`))).toThrow();
  });

  it('is nothing where there is only white space, and refused where it is no JSON', async () => {
    expect(await parsed('')).toBeUndefined();
    expect(await parsed(' \n')).toBeUndefined();
    for (const text of ['{', '{"a":"\0"}', 'null,', '\ufeff\ufeff1', '{"a":"\\ud83d\\u"}'])
      await expect(parsed(text)).rejects.toEqual(noJson);
  });

  it('may begin with a byte order mark', async () => {
    expect(await parsed('\ufeff{"a":1}')).toEqual({ a: 1 });
  });

  it('is refused where its bytes are not UTF-8', async () => {
    const fault = { code: 'invalid_encoding', errors: [{ message: 'is not utf-8 at byte 1', offset: 1 }] };
    await expect(parsed(Buffer.from([0x22, 0xff, 0x22]))).rejects.toMatchObject(fault);
    await expect(parsed(Buffer.from([0x22, 0xe2, 0x82]))).rejects.toMatchObject(fault);
  });

  it('is counted as it is decoded', async () => {
    const bytes = Buffer.from('\ufeff["é","\ud800",[1,2]]', 'utf16le');
    const decoded = new JsonBuffer(new ValueBudget(5), { charset: 'utf-16le' });
    for (const byte of bytes) decoded.push(Uint8Array.of(byte));
    expect(await decoded.parse()).toEqual(['é', '\ufffd', [1, 2]]);
    const refused = new JsonBuffer(new ValueBudget(4), { charset: 'utf-16le' });
    expect(() => refused.push(bytes)).toThrow(expect.objectContaining({ code: 'body_too_complex' }));
  });

  it('keeps ids exactly that are numbers too long for JavaScript', async () => {
    const id = '123456789012345678901';
    const text = `{"chatId": ${id}, "source":{"sessionId" :-${id}},"messageId":${id}\n}`;
    expect(await parsed(text, { piece: 5 })).toEqual({
      chatId: id,
      source: { sessionId: `-${id}` },
      messageId: id,
    });
    const other = `{"text":"\\"chatId\\":${id}","chatId":1.5,"sessionId":123456789012345,"n":[${id}]}`;
    expect(await parsed(other)).toEqual(JSON.parse(other));
    await expect(parsed(`{"chatId":0${id}}`)).rejects.toEqual(noJson);
  });

  it('keeps a member named __proto__ an ordinary one', async () => {
    const value = (await parsed('{"__proto__":{"admin":true},"\\u0000":1}')) as object;
    expect(Object.keys(value)).toEqual(['__proto__', '\ufffd']);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });
});
