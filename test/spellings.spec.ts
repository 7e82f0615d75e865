import { createHash, randomUUID } from 'node:crypto';
import { startTestApp, type TestApp } from './support/app.js';
import { type Answer, ServiceClient } from './support/service-client.js';

/** A picture whose base64 needs padding and contains characters that differ in the URL-safe alphabet. */
const PNG = Buffer.concat([
  Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAMAAADz0U65AAAAA1BMVEUiVYi4HA1XAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAADElEQVQImWNgoA4AAABIAAF7pRHIAAAAAElFTkSuQmCC',
    'base64',
  ),
  Buffer.from('fbffbeff', 'hex'),
]);
const TEXT = PNG.toString('base64');
const HEAD = 'data:image/png;base64,';

/** Accepted everywhere, as the same bytes. */
const READ: [how: string, data: string][] = [
  ['as it is', HEAD + TEXT],
  ['without padding', HEAD + TEXT.replace(/=+$/, '')],
  ['with the URL alphabet', HEAD + PNG.toString('base64url')],
  ['in lines', HEAD + TEXT.replace(/(.{76})/g, '$1\r\n')],
  ['among blanks', ` \n${HEAD} ${TEXT}\t\n`],
  ['with parameters, in capitals', `DATA:image/png;name=a.png; BASE64,${TEXT}`],
  ['percent-encoded', HEAD + encodeURIComponent(TEXT)],
];

/** Refused everywhere, also in part. */
const REFUSED: [how: string, data: string][] = [
  ['nothing', HEAD],
  ['blanks alone', `${HEAD} \n`],
  ['padding alone', `${HEAD}==`],
  ['a wrong character', `${HEAD + TEXT.slice(0, 40)}*${TEXT.slice(41)}`],
  ['a letter outside of ASCII', `${HEAD + TEXT.slice(0, 40)}ä${TEXT.slice(41)}`],
  ['padding in the middle', `${HEAD + TEXT.slice(0, 40)}=${TEXT.slice(41)}`],
  ['one character too many', `${HEAD}${TEXT.replace(/=+$/, '')}AAA`],
  ['no base64', `data:image/png,${TEXT}`],
  ['no comma', `data:image/png;base64;${TEXT}`],
];

describe('input of callers', () => {
  let app: TestApp;
  let client: ServiceClient;
  let flowId: string;
  const session = () => randomUUID();

  beforeAll(async () => {
    app = await startTestApp({ env: { RENDERS_PER_MINUTE: '100000' } });
    client = new ServiceClient(() => app);
    const reply = { id: 'reply', kind: 'reply', config: { message: '{{uploads.0.data}}' } };
    flowId = await client.flow({
      name: 'Echo',
      nodes: [{ id: 'start', kind: 'start', config: {} }, reply],
      edges: [{ from: 'start', to: 'reply' }],
    });
  });
  afterAll(() => app.close());

  const capture = (members: object): Promise<Answer> =>
    client.send('POST', '/api/v1/inspection/capture', { flowId, sessionId: session(), ...members });
  const branded = (logo: string): Promise<Answer> =>
    client.admin('POST', 'flows', {
      ...{ name: 'Branded', edges: [], chat: { brand: { logo } } },
      nodes: [{ id: 'start', kind: 'start', config: {} }],
    });
  const render = async (logo: string): Promise<Answer> => {
    const sessionId = session();
    await capture({ sessionId, photographs: [{ data: TEXT }] });
    const source = { type: 'inspection', sessionId, meta: { logo } };
    return client.send('POST', '/api/v1/pdf/render', { templateId: 'inspection', source });
  };

  /** Returns the hash of the bytes that a route read, `taken` if it does not return them, undefined if it refused. */
  const routes: [route: string, read: (data: string) => Promise<string | undefined>][] = [
    [
      'a capture',
      async (data) => {
        const { status, body } = await capture({ photographs: [{ data }], area: 'Kitchen', remark: 'x' });
        expect(status).toBe(200);
        if (body.recorded.length === 1) return body.recorded[0].sha256 as string;
        expect(body.rejected).toMatchObject([{ index: 0, code: 'undecodable' }]);
        return undefined;
      },
    ],
    [
      'an upload of a chat',
      async (data) => {
        const uploads = [{ type: 'file', name: 'a.png', data }];
        const { status, body } = await client.predict(flowId, { question: 'q', uploads });
        if (status === 400) expect(body.errors[0].path).toBe('uploads.0');
        else expect(body.text).toContain('data:image/png;base64,');
        return status === 400 ? undefined : echoed(body.text as string);
      },
    ],
    [
      'an uploaded logo',
      async (data) => {
        const { status, body } = await client.admin('POST', 'assets', { data });
        if (status === 400) expect(body.errors[0].path).toBe('data');
        return status === 200 ? 'taken' : undefined;
      },
    ],
    [
      'the logo of a report',
      async (logo) => {
        const { status, body } = await render(logo);
        expect(status).toBe(200);
        return (body.warnings as { code: string }[]).some(({ code }) => code === 'logo_dropped')
          ? undefined
          : 'taken';
      },
    ],
    [
      'the logo of a chat page',
      async (logo) => {
        const { status, body } = await branded(logo);
        if (status === 400) expect(body.errors[0].path).toBe('chat.brand.logo');
        if (status === 400) return undefined;
        const shown = await fetch(`${app.url}/chat/${body.id}/logo`);
        return shown.ok ? sha256(Buffer.from(await shown.arrayBuffer())) : 'taken';
      },
    ],
  ];

  const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
  const echoed = (text: string) =>
    sha256(Buffer.from(/base64,([A-Za-z0-9+/=]+)/.exec(text)?.[1] ?? '', 'base64'));

  describe.each(routes)('as base64 in %s', (_, read) => {
    it.each(READ)('is read %s', async (_how, data) => {
      expect([sha256(PNG), 'taken']).toContain(await read(data));
    });

    it.each(REFUSED)('is refused: %s', async (_how, data) => {
      expect(await read(data)).toBeUndefined();
    });
  });

  it('as base64 without its header is accepted where only that is possible', async () => {
    for (const [, data] of READ.filter(([, text]) => text.startsWith(HEAD))) {
      const alone = decodeURIComponent(data.slice(HEAD.length));
      const { body } = await capture({ photographs: [{ data: alone }] });
      expect(body.recorded).toMatchObject([{ sha256: sha256(PNG) }]);
      expect((await client.admin('POST', 'assets', { data: alone })).status).toBe(200);
    }
  });

  describe('as an identifier', () => {
    const named: [route: string, send: (name: unknown) => Promise<Answer>, path: string][] = [
      ['chatId of a prediction', (chatId) => client.predict(flowId, { question: 'q', chatId }), 'chatId'],
      [
        'sessionId of a prediction',
        (sessionId) => client.predict(flowId, { question: 'q', overrideConfig: { sessionId } }),
        'overrideConfig.sessionId',
      ],
      ['sessionId of a capture', (sessionId) => capture({ sessionId, area: 'Hall' }), 'sessionId'],
      [
        'chatId of a capture',
        (chatId) => client.send('POST', '/api/v1/inspection/capture', { flowId, chatId, area: 'Hall' }),
        'chatId',
      ],
      [
        'sessionId of a render',
        (sessionId) =>
          client.send('POST', '/api/v1/pdf/render', {
            ...{ templateId: 'inspection', source: { type: 'inspection', sessionId } },
          }),
        'source.sessionId',
      ],
      [
        'chatId of a lead',
        (chatId) => client.send('POST', '/api/v1/leads', { chatflowid: flowId, chatId }),
        'chatId',
      ],
      [
        'chatId of feedback',
        (chatId) => client.send('POST', `/api/v1/feedback/${flowId}`, { chatId, messageId: 'm' }),
        'chatId',
      ],
      [
        'messageId of feedback',
        (messageId) => client.send('POST', `/api/v1/feedback/${flowId}`, { chatId: 'c', messageId }),
        'messageId',
      ],
    ];

    it.each(named)('is 1 to 256 characters without control characters: %s', async (_, send, path) => {
      for (const name of ['x', '+44 7700 900123', '👩‍🔧', 'y'.repeat(256)])
        expect([name, (await send(name)).status]).toEqual([name, 200]);
      for (const name of ['z'.repeat(257), 'a\nb', 'a\u007fb', 'a\u0085b', 'a\u0000b', 'a\ud800b', true]) {
        const { status, body } = await send(name);
        expect([name, status, body.errors?.[0]?.path]).toEqual([name, 400, path]);
      }
    });
  });

  it('as JSON in a form field is read by one rule on every route', async () => {
    const form = (fields: Record<string, string>) => {
      const body = new FormData();
      for (const [name, value] of Object.entries(fields)) body.set(name, value);
      return body;
    };
    const deep = '['.repeat(70) + ']'.repeat(70);
    for (const [text, status, code] of [
      ['', 200, undefined],
      [' \n', 200, undefined],
      ['[]', 200, undefined],
      ['\ufeff[]', 200, undefined],
      ['[', 400, 'invalid_request'],
      ['uploads', 400, 'invalid_request'],
      [deep, 400, 'json_too_deep'],
    ] as const) {
      const predicted = await client.predict(flowId, form({ question: 'q', uploads: text }));
      const noted = await client.send(
        'POST',
        '/api/v1/inspection/capture',
        form({ flowId, sessionId: session(), area: 'Hall', uploads: text, photographsMeta: text }),
      );
      for (const answer of [predicted, noted])
        expect([text, answer.status, answer.body.code]).toEqual([text, status, code]);
    }
  });

  it('as bytes is decoded by its charset on every route, and refused if it is invalid in it', async () => {
    const admin = { authorization: `Bearer ${app.adminKey}` };
    const routes: [path: string, headers: Record<string, string>, body: () => object][] = [
      [`prediction/${flowId}`, {}, () => ({ question: 'Zoë' })],
      [`flows/${flowId}/run`, admin, () => ({ question: 'Zoë' })],
      ['inspection/capture', {}, () => ({ flowId, sessionId: session(), area: 'Zoë' })],
      ['pdf/render', {}, () => ({ templateId: 'inspection', source: source('Zoë') })],
      ['api-keys', admin, () => ({ name: 'Zoë' })],
    ];
    const source = (sessionId: string) => ({ type: 'inspection', sessionId });
    for (const [path, headers, body] of routes) {
      const bytes = Buffer.from(JSON.stringify(body()), 'latin1');
      const send = (charset = '') =>
        client.send('POST', `/api/v1/${path}`, bytes, {
          ...headers,
          'content-type': `application/json${charset}`,
        });
      expect([path, (await send('; charset="ISO-8859-1"')).status]).toEqual([path, 200]);
      const refused = await send();
      expect([path, refused.status, refused.body.code]).toEqual([path, 400, 'invalid_encoding']);
      expect(refused.body.errors).toEqual([
        { message: expect.stringContaining('utf-8'), offset: bytes.indexOf('ë', 'latin1') },
      ]);
      const unknown = await send('; charset=koi8-r');
      expect([path, unknown.status, unknown.body.code]).toEqual([path, 415, 'unsupported_media_type']);
    }
    const { body } = await client.send(
      'POST',
      `/api/v1/prediction/${flowId}`,
      Buffer.from('\ufeff{"question":"Zoë 😀","chatId":447700900123456789012}', 'utf16le'),
      { 'content-type': 'application/json; charset=UTF-16LE' },
    );
    expect(body).toMatchObject({ question: 'Zoë 😀', chatId: '447700900123456789012' });
  });
});
