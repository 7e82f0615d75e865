import { LEAST_PACE, PATIENCE_MS } from '../src/common/bodies/body-patience.js';
import { startTestApp, type TestApp } from './support/app.js';
import { eventually } from './support/eventually.js';
import { echoFlow } from './support/flows.js';
import { RawConnection } from './support/raw-connection.js';
import { ServiceClient } from './support/service-client.js';

const BODY = JSON.stringify({ question: 'Hi' });
const HOLDS_BACK = {
  'Content-Type': 'application/json',
  'Content-Length': BODY.length,
  Expect: '100-continue',
};

describe('a caller that waits with its body (Expect: 100-continue)', () => {
  let service: TestApp;
  let flow: string;
  let call: RawConnection;
  const client = new ServiceClient(() => service);

  beforeAll(async () => {
    service = await startTestApp();
    flow = await client.flow(echoFlow());
  });

  afterAll(() => service.close());

  beforeEach(async () => {
    call = await RawConnection.open(service.url);
  });

  afterEach(() => call.close());

  const answered = () => eventually(() => call.statuses.some((status) => status >= 200));

  it('gets one 100, after the checks have passed', async () => {
    call.begin('POST', `/api/v1/prediction/${flow}`, HOLDS_BACK);
    await eventually(() => call.statuses.length > 0);
    call.send(BODY);
    await answered();
    expect(call.statuses).toEqual([100, 200]);
  });

  it('may use its connection again', async () => {
    for (const calls of [1, 2]) {
      call.begin('POST', `/api/v1/prediction/${flow}`, HOLDS_BACK);
      await eventually(() => call.statuses.length === 2 * calls - 1);
      call.send(BODY);
      await eventually(() => call.statuses.length === 2 * calls);
    }
    expect(call.statuses).toEqual([100, 200, 100, 200]);
  });

  it('gets 100 for a form as well', async () => {
    const form = '--edge\r\nContent-Disposition: form-data; name="question"\r\n\r\nHi\r\n--edge--\r\n';
    call.begin('POST', `/api/v1/prediction/${flow}`, {
      ...HOLDS_BACK,
      'Content-Type': 'multipart/form-data; boundary=edge',
      'Content-Length': form.length,
    });
    await eventually(() => call.statuses.length > 0);
    call.send(form);
    await answered();
    expect(call.statuses).toEqual([100, 200]);
  });

  it.each([
    ['an unknown flow', 'prediction/unknown-flow', {}, 404],
    ['a route that is not there', 'nothing', {}, 404],
    ['no admin key', 'flows', {}, 401],
    ['a body that is too large', 'pdf/render', { 'Content-Length': 60 * 1024 * 1024 }, 413],
    ['a body of another type', 'pdf/render', { 'Content-Type': 'text/csv' }, 415],
  ])('gets no 100 if it is refused: %s', async (_, path, headers, status) => {
    call.begin('POST', `/api/v1/${path}`, { ...HOLDS_BACK, ...headers });
    await answered();
    expect(call.statuses).toEqual([status]);
    expect(call.text).toContain('Connection: close');
  });
});

describe('a body that arrives after the answer', () => {
  let service: TestApp;
  let call: RawConnection;

  beforeAll(async () => {
    service = await startTestApp();
    const real = globalThis.setInterval;
    jest
      .spyOn(globalThis, 'setInterval')
      .mockImplementation((look, ms) => real(look, ms === PATIENCE_MS ? 1_000 : ms));
  });

  afterAll(async () => {
    jest.restoreAllMocks();
    await service.close();
  });

  beforeEach(async () => {
    call = await RawConnection.open(service.url);
    call.begin('POST', '/api/v1/nothing', { 'Content-Length': 100_000_000 });
    await eventually(() => call.statuses.includes(404));
  });

  afterEach(() => call.close());

  it('in drops has its connection closed', async () => {
    let closed = false;
    call.socket.once('close', () => (closed = true));
    const dripping = setInterval(() => call.send('x'), 20);
    await eventually(() => closed);
    clearInterval(dripping);
  });

  it('is read and discarded', async () => {
    const piece = 'x'.repeat((LEAST_PACE * PATIENCE_MS) / 1000);
    for (let sent = 0; sent < 50; sent++) {
      call.send(piece);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect(call.socket.destroyed).toBe(false);
  });
});
