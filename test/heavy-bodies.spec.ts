import { startTestApp, TEST_ADMIN_KEY, type TestApp } from './support/app.js';
import { echoFlow } from './support/flows.js';
import { RawConnection } from './support/raw-connection.js';
import { ServiceClient } from './support/service-client.js';

const MOST = 1_000;
const JSON_TYPE = 'application/json';
const FORM_TYPE = 'multipart/form-data; boundary=edge';

const field = (name: string, text: string) =>
  `--edge\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}`;

/** The beginning of a body with this many values. */
const wide = (values: number) => `{"list":[${'1,'.repeat(values - 1)}`;

describe('a body of very many values', () => {
  let service: TestApp;
  let flow: string;
  const client = new ServiceClient(() => service);

  beforeAll(async () => {
    service = await startTestApp({ env: { MAX_JSON_VALUES: String(MOST), RENDERS_PER_MINUTE: '1000' } });
    flow = await client.flow({ id: 'heavy', ...echoFlow() });
  });

  afterAll(() => service.close());

  /** Returns the answer to a caller who has sent only this much of a body of 9 MB. */
  async function refusal(
    [method, path]: [string, string],
    { begun, type = JSON_TYPE, key }: { begun: string; type?: string; key?: string },
  ) {
    const call = await RawConnection.open(service.url);
    const authorization = key === undefined ? {} : { Authorization: `Bearer ${key}` };
    call.begin(method, `/api/v1/${path}`, {
      'Content-Type': type,
      'Content-Length': 9_000_000,
      ...authorization,
    });
    call.send(begun);
    const refused = await call.refusal();
    call.close();
    return refused;
  }

  const open: [string, string][] = [
    ['POST', 'prediction/heavy'],
    ['POST', 'inspection/capture'],
    ['POST', 'inspection/capture?flowId=heavy'],
    ['POST', 'pdf/render'],
    ['POST', 'feedback/heavy'],
    ['PUT', 'feedback/any'],
    ['POST', 'leads'],
  ];

  it.each(open)('is refused while it arrives: %s %s', async (method, path) => {
    expect(await refusal([method, path], { begun: wide(MOST + 2) })).toEqual([413, 'body_too_complex']);
  });

  const forms: [string, string][] = [
    ['prediction/heavy', 'overrideConfig'],
    ['prediction/heavy', 'uploads'],
    ['prediction/heavy', 'form'],
    ['prediction/heavy', 'history'],
    ['prediction/heavy', 'humanInput'],
    ['inspection/capture?flowId=heavy', 'photographsMeta'],
    ['inspection/capture?flowId=heavy', 'photographs'],
    ['inspection/capture', 'uploads'],
  ];

  it.each(forms)('is refused while it arrives in a form: %s, %s', async (path, name) => {
    const begun = field(name, wide(MOST + 2));
    expect(await refusal(['POST', path], { begun, type: FORM_TYPE })).toEqual([413, 'body_too_complex']);
  });

  it('is counted over all fields of a form together', async () => {
    const half = wide(MOST / 2 + 2);
    const begun = field('overrideConfig', `${half}\r\n${field('form', half)}`);
    expect(await refusal(['POST', 'prediction/heavy'], { begun, type: FORM_TYPE })).toEqual([
      413,
      'body_too_complex',
    ]);
  });

  const admin: [string, string][] = [
    ['POST', 'flows'],
    ['PUT', 'flows/heavy'],
    ['POST', 'flows/import'],
    ['POST', 'flows/check'],
    ['POST', 'flows/heavy/run'],
    ['POST', 'api-keys'],
    ['POST', 'credentials'],
    ['PUT', 'credentials/any'],
    ['POST', 'credit/default/top-ups'],
    ['POST', 'assets'],
  ];

  it.each(admin)('may be ten times as wide on an admin route, and no more: %s %s', async (method, path) => {
    const key = TEST_ADMIN_KEY;
    const begun = wide(10 * MOST + 2);
    expect(await refusal([method, path], { begun, key })).toEqual([413, 'body_too_complex']);
    const { body } = await client.admin(method, path, { name: 'x', list: Array(9 * MOST).fill(1) });
    expect(body.code).not.toBe('body_too_complex');
  });

  it('is accepted up to the last allowed value', async () => {
    const send = (length: number) =>
      client.predict(flow, { question: 'Hi', overrideConfig: { vars: { list: Array(length).fill(0) } } });
    // question, overrideConfig, vars, list
    expect((await send(MOST - 4)).status).toBe(200);
    const refused = await send(MOST - 3);
    expect([refused.status, refused.body.code]).toEqual([413, 'body_too_complex']);
  });

  it('counts no text: an upload, a question of commas and brackets', async () => {
    const uploads = [
      {
        type: 'file',
        name: 'a.txt',
        mime: 'text/plain',
        data: `data:text/plain;base64,${'QUJD'.repeat(500_000)}`,
      },
    ];
    expect((await client.predict(flow, { question: '[,{'.repeat(10_000), uploads })).status).toBe(200);
    const form = new FormData();
    form.append('question', '[1,2,{"a":'.repeat(10_000));
    expect((await client.send('POST', `/api/v1/prediction/${flow}`, form)).status).toBe(200);
  });

  it('nested too deep is refused while it arrives as well', async () => {
    const begun = '['.repeat(65);
    expect(await refusal(['POST', 'pdf/render'], { begun })).toEqual([400, 'json_too_deep']);
  });
});
