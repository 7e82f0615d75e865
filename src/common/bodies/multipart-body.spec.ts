import type { Request } from 'express';
import { EventEmitter } from 'node:events';
import { Readable } from 'node:stream';
import { type IncomingFile, type MultipartLimits, readMultipartBody } from './multipart-body.js';

const LIMITS: MultipartLimits = { bytes: 1e6, fileBytes: 1e6, fieldBytes: 1e6, json: new Set(['list']) };

interface Part {
  disposition: string;
  type?: string;
  value?: string | Buffer;
}

const bytesOf = (parts: readonly Part[]): Buffer =>
  Buffer.concat([
    ...parts.flatMap(({ disposition, type, value = '' }) => [
      Buffer.from(`--x\r\nContent-Disposition: ${disposition}\r\n`, 'latin1'),
      Buffer.from(type === undefined ? '\r\n' : `Content-Type: ${type}\r\n\r\n`),
      Buffer.from(value as string),
      Buffer.from('\r\n'),
    ]),
    Buffer.from('--x--\r\n'),
  ]);

async function read(parts: readonly Part[], { type = 'multipart/form-data; boundary=x', piece = 1e6 } = {}) {
  const bytes = bytesOf(parts);
  const pieces = Array.from({ length: Math.ceil(bytes.length / piece) }, (_, index) =>
    bytes.subarray(index * piece, (index + 1) * piece),
  );
  const request = Object.assign(Readable.from(pieces, { objectMode: false }), {
    ip: '192.0.2.1',
    headers: { 'content-type': type },
    res: new EventEmitter(),
  }) as unknown as Request;
  const readFile = async ({ field, name, stream }: IncomingFile) =>
    [field, name, Buffer.concat(await stream.toArray()).toString()] as const;
  const { fields, files } = await readMultipartBody(request, LIMITS, readFile);
  request.res!.emit('close');
  return { fields: Object.fromEntries(fields), files };
}

const field = (name: string, value: string | Buffer, type?: string): Part => ({
  disposition: `form-data; name="${name}"`,
  value,
  ...(type === undefined ? {} : { type }),
});

const file = (name: string, filename: string, value = 'bytes'): Part => ({
  disposition: `form-data; name="${name}"; ${filename}`,
  value,
});

describe('a form', () => {
  it.each([1, 7, 1e6])('has a file for each part with a file name, in pieces of %d', async (piece) => {
    const sent = [
      file('data', 'filename="a.jpg"'),
      field('question', 'Hello'),
      file('list', `filename*=UTF-8''b%C3%A9.jpg`),
      file('photo', 'filename=""'),
      { disposition: 'attachment; filename="d.jpg"', value: 'bytes' },
      file('x', 'filename="e.jpg"', ''),
    ];
    const { fields, files } = await read(sent, { piece });
    expect(fields).toEqual({ question: 'Hello' });
    expect(files).toEqual([
      ['data', 'a.jpg', 'bytes'],
      ['list', 'bé.jpg', 'bytes'],
      ['photo', '', 'bytes'],
      ['', 'd.jpg', 'bytes'],
      ['x', 'e.jpg', ''],
    ]);
  });

  it('has a file for a picture without a file name', async () => {
    const picture = (type: string) => field('photographs', 'bytes', type);
    const { fields, files } = await read(
      ['image/jpeg', 'image/heic', 'application/octet-stream'].map(picture),
    );
    expect(fields).toEqual({});
    expect(files).toEqual(Array(3).fill(['photographs', '', 'bytes']));
  });

  it.each([1, 1e6])('has none for an input that nothing was chosen in, in pieces of %d', async (piece) => {
    const nothing = file('files', 'filename=""', '');
    const { files } = await read([nothing, file('a', 'filename="a.jpg"'), nothing, nothing], { piece });
    expect(files).toEqual([['a', 'a.jpg', 'bytes']]);
    expect((await read([nothing], { piece })).files).toEqual([]);
  });

  it.each([
    ['200 fields', Array.from({ length: 201 }, () => field('a', 'b'))],
    ['2000 files', Array.from({ length: 2001 }, () => file('a', 'filename="a.txt"'))],
  ])('is refused with more than %s, however small it is', async (limit, parts) => {
    await expect(read(parts)).rejects.toMatchObject({
      status: 413,
      code: 'body_too_large',
      message: expect.stringContaining(`more than ${limit}`),
    });
  });

  it('keeps a file whose name is not UTF-8', async () => {
    const { files } = await read([
      file('files', 'filename="K\xfcche.jpg"'),
      { ...file('files', ''), disposition: `form-data; name="files"; filename="${latin('Küche')}"` },
    ]);
    expect(files.map(([, name]) => name)).toEqual(['Küche.jpg', 'Küche']);
  });

  it('decodes each field by its charset, JSON too', async () => {
    const { fields } = await read([
      field('latin', Buffer.from('Zoë', 'latin1'), 'text/plain; charset=ISO-8859-1'),
      field('utf', 'Zoë'),
      field('marked', '\ufeffZoë'),
      field('list', Buffer.from('["Zoë"]', 'utf16le'), 'application/json; charset=utf-16le'),
    ]);
    expect(fields).toEqual({ latin: 'Zoë', utf: 'Zoë', marked: 'Zoë', list: ['Zoë'] });
  });

  it('decodes fields without a charset by that of the form', async () => {
    const latin1 = Buffer.from('Zoë', 'latin1');
    const parts = [field('a', latin1), field('list', Buffer.from('["ë"]', 'latin1')), field('empty', '')];
    const decoded = { a: 'Zoë', list: ['ë'], empty: '' };
    const type = 'multipart/form-data; charset=latin1; boundary=x';
    expect((await read(parts, { type })).fields).toEqual(decoded);
    for (const piece of [1, 1e6])
      expect((await read([field('_charset_', 'iso-8859-1'), ...parts], { piece })).fields).toMatchObject(
        decoded,
      );
  });

  it('is refused with the field and the byte that is not in its charset', async () => {
    const latin1 = Buffer.from('"Zoë"', 'latin1');
    for (const name of ['a', 'list'])
      await expect(read([field('ok', 'ë'), field(name, latin1)])).rejects.toMatchObject({
        status: 400,
        code: 'invalid_encoding',
        errors: [{ path: name, offset: 3 }],
      });
  });

  it('is refused for a charset that is not decoded', async () => {
    const refused = { status: 415, code: 'unsupported_media_type' };
    await expect(read([field('a', 'b', 'text/plain; charset=koi8-r')])).rejects.toMatchObject(refused);
    await expect(read([field('_charset_', 'koi8-r'), field('a', 'b')])).rejects.toMatchObject(refused);
  });
});

/** The UTF-8 bytes of a text, a character each. */
const latin = (text: string): string => Buffer.from(text).toString('latin1');
