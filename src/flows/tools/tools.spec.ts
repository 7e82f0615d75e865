import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { endedRuns, failureOf, resultOf } from '../../../test/fixtures/flows/flow-runs.js';
import { runNodes } from '../../../test/fixtures/flows/run-nodes.js';
import { computedMs } from '../../../test/support/computed.js';
import type { Json } from '../engine/json.js';
import { argumentFault, typedArguments } from './arguments.js';
import { readableText } from './readable-text.js';

describe('a tool as a node', () => {
  let target: Server;
  let host: string;
  let urls: string[];
  let answer: { body: string | Buffer; type: string; status?: number };

  beforeAll(async () => {
    target = createServer((request, response) => {
      urls.push(request.url ?? '');
      response.writeHead(answer.status ?? 200, { 'content-type': answer.type }).end(answer.body);
    }).listen(0, '127.0.0.1');
    await once(target, 'listening');
    host = `127.0.0.1:${(target.address() as AddressInfo).port}`;
  });
  afterAll(() => void target.close().closeAllConnections());
  beforeEach(() => {
    urls = [];
    answer = { body: '{"rate":1.17}', type: 'application/json' };
  });

  const tool = (
    config: Record<string, Json>,
    resume?: { snapshot: Json; answer: { type: 'proceed' | 'reject' } },
  ) => runNodes([{ kind: 'tool', config }], resume ? { resume } : {}, { env: { OUTBOUND_ALLOW: host } });
  const rates = (more: Record<string, Json> = {}): Record<string, Json> => ({
    tool: 'http',
    url: `http://${host}/rates`,
    query: { of: '{{$args.of}}', day: '{{$args.day}}', fixed: 'yes' },
    parameters: {
      type: 'object',
      properties: { of: { type: 'string' }, day: { type: 'string' }, n: { type: 'integer' } },
      required: ['of'],
    },
    arguments: { of: '{{question}}' },
    ...more,
  });

  it('calls it with its arguments; what it brought is the output, and its text the answer', async () => {
    const events = await tool(rates());
    expect(urls).toEqual(['/rates?of=How+are+you%3F&fixed=yes']);
    expect(resultOf(events).text).toBe('{"rate":1.17}');
    expect(endedRuns(events, 'n0')[0]).toMatchObject({
      input: { tool: 'http', arguments: { of: 'How are you?' } },
      output: { status: 200, data: { rate: 1.17 } },
    });
  });

  it('fails with what the tool says, and before it is called where the arguments do not fit', async () => {
    answer = { body: 'gone', type: 'text/plain', status: 410 };
    expect(failureOf(await tool(rates()))).toContain('The target answered 410: gone');
    urls = [];
    expect(failureOf(await tool(rates({ arguments: { n: 1.5 } })))).toContain(
      'The arguments do not fit: of: is missing',
    );
    expect(failureOf(await tool({ tool: 'missing', original: 'gmail' }))).toContain('offers no tool');
    expect(urls).toEqual([]);
  });

  it('waits for a human where it must, and says that it was not allowed', async () => {
    const events = await tool(rates({ requiresApproval: true }));
    const last = events.at(-1)!;
    if (last.type !== 'waiting') throw new Error(last.type);
    expect(last.approval.action).toMatchObject({
      data: { input: { calls: [{ tool: 'http', arguments: { of: 'How are you?' } }] } },
    });
    expect(urls).toEqual([]);
    const { snapshot } = last.approval;
    const rejected = await tool(rates({ requiresApproval: true }), { snapshot, answer: { type: 'reject' } });
    expect(endedRuns(rejected, 'n0')[0]!.output).toEqual({ rejected: true });
    const allowed = await tool(rates({ requiresApproval: true }), { snapshot, answer: { type: 'proceed' } });
    expect(resultOf(allowed).text).toBe('{"rate":1.17}');
    expect(urls).toHaveLength(1);
  });

  it('reads a page as text, in part where it is long', async () => {
    answer = { type: 'text/html; charset=utf-8', body: `<title>T</title><p>One&nbsp;two ${'x'.repeat(300)}` };
    const page = { tool: 'web-page', arguments: { url: `http://${host}/page` } };
    expect(resultOf(await tool({ ...page, maxCharacters: 100 })).text).toMatch(/^T\nOne two x+\n\[cut, 310/);
    answer = { type: 'image/png', body: 'PNG' };
    expect(failureOf(await tool(page))).toContain('is not a text page');
  });

  it('reads a page in the charset that it names', async () => {
    const page = { tool: 'web-page', arguments: { url: `http://${host}/page` } };
    const body = Buffer.from('<meta charset="iso-8859-1"><p>Rent: £950', 'latin1');
    answer = { type: 'text/html', body };
    expect(resultOf(await tool(page)).text).toBe('Rent: £950');
    answer = { type: 'text/plain; charset=iso-8859-1', body: Buffer.from('£950', 'latin1') };
    expect(resultOf(await tool(page)).text).toBe('£950');
  });

  it('says the time in a zone, and refuses one that there is none of', async () => {
    const at = (timeZone: string) => tool({ tool: 'date-time', arguments: { timeZone } });
    expect(resultOf(await at('Europe/London')).text).toMatch(
      /^Thursday,? 1 January 1970 at 01:00:00 \S+ \(Europe\/London\), 1970-01-01T00:00:00\.005Z$/,
    );
    expect(failureOf(await at('Mars'))).toContain('"Mars" is not a time zone');
  });
});

describe('a tool that computes or runs a flow', () => {
  const sum = {
    tool: 'function',
    code: 'return { sum: $a + $b, chat: $flow.chatId }',
    parameters: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } } },
  };

  it('reads its arguments in JavaScript, and says why it failed', async () => {
    const events = await runNodes([{ kind: 'tool', config: { ...sum, arguments: { a: 2, b: 3 } } }]);
    expect(endedRuns(events, 'n0')[0]!.output).toEqual({ sum: 5, chat: 'c' });
    const failed = await runNodes([{ kind: 'tool', config: { ...sum, code: 'throw new Error("no sum")' } }]);
    expect(failureOf(failed)).toContain('no sum');
  });

  it('computes with the numbers that the texts of its arguments are', async () => {
    const config = { ...sum, arguments: { a: '{{question}}', b: ' 1.5 ' } };
    const events = await runNodes([{ kind: 'tool', config }], { question: '40' });
    expect(endedRuns(events, 'n0')[0]).toMatchObject({
      input: { arguments: { a: 40, b: 1.5 } },
      output: { sum: 41.5 },
    });
    expect(failureOf(await runNodes([{ kind: 'tool', config }], { question: 'many' }))).toContain(
      'a: must be a number',
    );
  });
});

describe('the words of a page', () => {
  it.each([
    ['<p>a<br>b</p><!-- <p>no</p> --><ul><li>c</li></ul>', 'a\nb\nc'],
    ['<head><title>x</title></head><script>if (a<b) "</p>"</script>d', 'd'],
    ['1 < 2 &amp; 3 &#8364; &#x41; &bogus; &#0;', '1 < 2 & 3 € A &bogus;'],
    ['<td>a</td><td>b</td>', 'a b'],
    ['<a title="x > y">link</a>', 'link'],
    ['<svg>lost <p>kept', 'lost\nkept'],
    ['text <b', 'text'],
  ])('of %j are %j', (html, text) => {
    expect(readableText(html)).toBe(text);
  });

  it('are found in one pass, however broken the page is', async () => {
    const read = () => {
      for (const piece of ['<script>', '<!--', '<', '<a "', '&#', '<svg '])
        readableText(piece.repeat(200_000));
    };
    expect(await computedMs(read, 5_000)).toBeLessThan(5_000);
  });
});

describe('arguments', () => {
  const schema = (properties: Json): Json => ({ type: 'object', properties });

  it('are held to the schema of their tool, but to no pattern of it', async () => {
    const parameters = schema({ a: { type: 'string', pattern: '^(a+)+$' }, pattern: { type: 'integer' } });
    expect(await argumentFault(parameters, { a: `${'a'.repeat(50)}!`, pattern: 1 })).toBeUndefined();
    expect(await argumentFault(parameters, { pattern: 'x' })).toContain('pattern: must be');
  });

  it.each<[Json, Json, Json]>([
    [{ type: 'integer' }, '7', 7],
    [{ type: 'integer' }, '7.5', '7.5'],
    [{ type: 'number' }, '-1e3', -1000],
    [{ type: 'number' }, '', ''],
    [{ type: 'number' }, '"7"', '"7"'],
    [{ type: 'boolean' }, 'true', true],
    [{ type: 'boolean' }, 'yes', 'yes'],
    [{ type: 'array' }, '["a"]', ['a']],
    [{ type: 'object' }, '{"a":1}', { a: 1 }],
    [{ type: ['integer', 'null'] }, 'null', null],
    [{ type: ['string', 'integer'] }, '7', '7'],
    [{ type: 'string' }, '7', '7'],
    [{ type: 'number' }, true, true],
    [{}, '7', '7'],
    [true, '7', '7'],
  ])('in text become what %j asks for: %j is %j', (member, given, read) => {
    expect(typedArguments(schema({ a: member }), { a: given, free: '7' })).toEqual({ a: read, free: '7' });
  });

  it('stay texts where the schema names no types', () => {
    for (const parameters of [schema(null), schema({}), 'text', null, {}])
      expect(typedArguments(parameters, { a: '7', constructor: '7' })).toEqual({ a: '7', constructor: '7' });
  });

  it('are free where a schema cannot be read', async () => {
    for (const broken of [{ type: 'nonsense' }, { $ref: '#/nowhere' }, 'text', null, { type: 5 }])
      expect(await argumentFault(broken, { a: 1 })).toBeUndefined();
  });
});
