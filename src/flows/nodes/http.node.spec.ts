import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { endedRuns, failureOf, resultOf } from '../../../test/fixtures/flows/flow-runs.js';
import { runNodes } from '../../../test/fixtures/flows/run-nodes.js';
import type { Json } from '../engine/json.js';
import type { FlowInput } from '../engine/run-options.js';

describe('http', () => {
  let server: Server;
  let asked: { method: string; url: string; headers: Record<string, unknown>; body: string }[] = [];
  let respond: { status: number; type: string; body: string | Buffer };

  beforeAll(async () => {
    server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        asked.push({ method: request.method!, url: request.url!, headers: request.headers, body });
        response.writeHead(respond.status, { 'content-type': respond.type }).end(respond.body);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => server.close().closeAllConnections());
  beforeEach(() => {
    asked = [];
    respond = { status: 200, type: 'application/json', body: '{"town":{"name":"Leeds"}}' };
  });

  const target = () => `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const http = (
    config: Record<string, Json>,
    input: Partial<FlowInput> = {},
    env: Record<string, string> = { OUTBOUND_ALLOW: target() },
  ) => runNodes([{ kind: 'http', config: { url: `http://${target()}/x`, ...config } }], input, { env });

  it('gives status, headers and data, and answers the body', async () => {
    const events = await http({ query: { q: '{{question}}' }, headers: { 'X-Token': 'secret' } });
    expect(asked[0]).toMatchObject({
      method: 'GET',
      url: '/x?q=How+are+you%3F',
      headers: { 'x-token': 'secret' },
    });
    expect(endedRuns(events, 'n0')[0]!.output).toMatchObject({
      status: 200,
      data: { town: { name: 'Leeds' } },
    });
    expect(JSON.stringify(endedRuns(events, 'n0')[0]!.input)).not.toContain('secret');
    expect(resultOf(events).text).toBe('{"town":{"name":"Leeds"}}');
  });

  it('fails where the target answers more values than a node may have', async () => {
    respond.body = `[${'[],'.repeat(120_000)}[]]`;
    expect(failureOf(await http({}))).toMatch(/more than 100000 values/);
    respond.body = `${'['.repeat(1_000)}${']'.repeat(1_000)}`;
    expect(failureOf(await http({}))).toMatch(/nested too deep/);
  });

  it('takes headers and query as lists of key and value, too', async () => {
    const headers = [{ key: 'X-Token', value: 'secret' }];
    const events = await http({ query: [{ key: 'q', value: '{{question}}' }], headers });
    expect(asked[0]).toMatchObject({ url: '/x?q=How+are+you%3F', headers: { 'x-token': 'secret' } });
    expect(JSON.stringify(endedRuns(events, 'n0')[0]!.input)).not.toContain('secret');
  });

  it('fails when the target answers 400 or more', async () => {
    respond = { status: 404, type: 'text/plain', body: 'not here' };
    expect(failureOf(await http({}))).toBe('The target answered 404: not here');
  });

  it('reads an answer in the charset that it declares', async () => {
    const pounds = Buffer.from('Rent: £950', 'latin1');
    respond = { status: 200, type: 'text/plain; charset=ISO-8859-1', body: pounds };
    expect(resultOf(await http({})).text).toBe('Rent: £950');
    respond = {
      ...respond,
      type: 'application/json; charset="windows-1252"',
      body: Buffer.from('{"due":"\x80950"}', 'latin1'),
    };
    expect(endedRuns(await http({}), 'n0')[0]!.output).toMatchObject({ data: { due: '€950' } });
    respond = { ...respond, type: 'text/plain; charset=iso-8859-1', body: Buffer.from('Rent: £950') };
    expect(resultOf(await http({})).text).toBe('Rent: £950');
    respond = { ...respond, status: 400, body: pounds };
    expect(failureOf(await http({}))).toBe('The target answered 400: Rent: £950');
  });

  it.each([
    ['x-name', 'Łukasz'],
    ['x-name', 'a\nb'],
    ['x name', 'Ann'],
  ])('says which header cannot be sent: %s %j', async (name, value) => {
    const failure = failureOf(await http({ headers: { [name]: '{{question}}' } }, { question: value }));
    expect(failure).toMatch(/^The request cannot be sent: .*header.*Remove or correct/);
    expect(failure).not.toContain(value);
    expect(asked).toEqual([]);
  });

  it.each(['ann:p%40ssword', 'a-token-alone'])(
    'hides the login of an address (%s) also as it is sent',
    async (login) => {
      const sent = `${decodeURIComponent(login)}${login.includes(':') ? '' : ':'}`;
      const basic = Buffer.from(sent).toString('base64');
      respond.body = JSON.stringify({ echo: `Basic ${basic}` });
      const events = await http({ url: `http://${login}@${target()}/x` });
      expect(asked[0]!.headers['authorization']).toBe(`Basic ${basic}`);
      expect(JSON.stringify(endedRuns(events, 'n0'))).not.toContain(basic);
    },
  );

  it('keeps what a caller wrote inside of its member of a JSON body', async () => {
    await http({ method: 'POST', body: { q: '{{question}}', n: 1 } }, { question: '","admin":"1' });
    expect(JSON.parse(asked[0]!.body)).toEqual({ q: '","admin":"1', n: 1 });
    expect(asked[0]!.headers['content-type']).toBe('application/json');
  });

  it('encodes forms', async () => {
    await http({ method: 'POST', bodyType: 'xWwwFormUrlencoded', body: { a: 'x&y', b: '{{question}}' } });
    expect(asked[0]!.body).toBe('a=x%26y&b=How+are+you%3F');
    await http({ method: 'POST', bodyType: 'formData', body: [{ key: 'a', value: 'x' }] });
    expect(asked[1]!.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
    expect(asked[1]!.body).toContain('name="a"');
  });

  it('reads the fields of a form from a text that is JSON, and refuses one that is not', async () => {
    const vars = new Map<string, Json>([['fields', { a: 'x&y', n: 1 }]]);
    const body = '{{$vars.fields}}';
    await http({ method: 'POST', bodyType: 'xWwwFormUrlencoded', body }, { vars });
    expect(asked[0]!.body).toBe('a=x%26y&n=1');
    await http({ method: 'POST', bodyType: 'formData', body }, { vars });
    expect(asked[1]!.body).toMatch(/name="a"\r\n\r\nx&y\r\n[^]*name="n"/);
    await http({ method: 'POST', bodyType: 'xWwwFormUrlencoded', body: 'a=1&b=2' });
    expect(asked[2]!.body).toBe('a=1&b=2');
    const refused = await http({ method: 'POST', bodyType: 'formData', body: 'a=1&b=2' });
    expect(failureOf(refused)).toContain('must be an object, or a list of { key, value }');
    expect(asked).toHaveLength(3);
  });

  it('does not reach a private address that is not allowed', async () => {
    const events = await http({}, {}, { OUTBOUND_ALLOW: '127.0.0.1:1' });
    expect(failureOf(events)).toMatch(/not public/);
    expect(asked).toHaveLength(0);
  });
});
