import { startTestApp, type TestApp } from './support/app.js';
import { eventually } from './support/eventually.js';
import { echoFlow } from './support/flows.js';
import { RawConnection } from './support/raw-connection.js';
import { ServiceClient } from './support/service-client.js';

const MEBIBYTE = 1024 * 1024;

/** Clients of HTTP/1.0 and those that announce `Connection: close`, such as the one of Python's standard library. */
describe('a caller that is answered while it sends the last body of its connection', () => {
  let service: TestApp;
  let call: RawConnection;
  const client = new ServiceClient(() => service);

  beforeAll(async () => {
    service = await startTestApp({ env: { MAX_JSON_MB: '10', MAX_JSON_VALUES: '1000' } });
    const key = (await client.admin('POST', 'api-keys', { name: 'theirs' })).body;
    await client.flow({ id: 'keyed', ...echoFlow({ access: { apiKeyId: key.id } }) });
    await client.flow({ id: 'open', ...echoFlow() });
  });
  afterAll(() => service.close());

  beforeEach(async () => {
    call = await RawConnection.open(service.url, { allowHalfOpen: true });
  });
  afterEach(() => call.close());

  /** Rejects if the connection is closed or reset before the service has read the bytes, which no buffer holds. */
  const sendWhole = (bytes: string) =>
    new Promise<void>((resolve, reject) => {
      call.socket.write(bytes, (error) => (error ? reject(error) : resolve()));
    });

  it.each([
    ['before any of it is read', 'keyed', { begun: '', mebibytes: 9 }, [401, 'invalid_api_key']],
    ['because it is too large', 'open', { begun: '', mebibytes: 20 }, [413, 'body_too_large']],
    [
      'because of what has arrived',
      'open',
      { begun: `[${'1,'.repeat(1_001)}`, mebibytes: 9 },
      [413, 'body_too_complex'],
    ],
  ])('may send the rest: %s', async (_, flow, { begun, mebibytes }, refusal) => {
    call.begin('POST', `/api/v1/prediction/${flow}`, {
      Connection: 'close',
      'Content-Type': 'application/json',
      'Content-Length': begun.length + mebibytes * MEBIBYTE,
    });
    call.send(begun);
    expect(await call.refusal()).toEqual(refusal);
    await sendWhole('x'.repeat(mebibytes * MEBIBYTE));
    await eventually(() =>
      sendWhole('x').then(
        () => false,
        () => true,
      ),
    );
  });

  it('has a late body read for its record', async () => {
    const body = JSON.stringify({ chatId: 'last-call', question: 'Late' });
    call.begin('POST', '/api/v1/prediction/keyed', {
      Connection: 'close',
      'Content-Type': 'application/json',
      'Content-Length': body.length,
    });
    expect(await call.refusal()).toEqual([401, 'invalid_api_key']);
    call.send(body);
    const found = () => client.admin('GET', 'executions?chatId=last-call');
    await eventually(async () => (await found()).body.data.length === 1);
  });
});
