import { WriteGate } from '../src/database/writes/write-gate.js';
import { Takeover } from '../src/executions/calls/takeover.js';
import { startTestApp, type TestApp } from './support/app.js';
import { eventually } from './support/eventually.js';
import { type FakeModel, Hold, startFakeModel } from './support/fake-model.js';
import { chatFlow } from './support/flows.js';
import { ServiceClient } from './support/service-client.js';

describe('the metrics of the service', () => {
  let service: TestApp;
  let model: FakeModel;
  const client = new ServiceClient(() => service);

  beforeAll(async () => {
    service = await startTestApp();
    model = await startFakeModel();
    await client.admin('POST', 'credit/default/top-ups', { amount: 1_000, reference: 'tests' });
  });

  afterAll(async () => {
    await service.close();
    await model.close();
  });

  const figure = async (name: string): Promise<number> => {
    const text = await (await fetch(`${service.url}/metrics`)).text();
    return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
  };

  it('count the active runs', async () => {
    const flow = await client.flow(chatFlow(model.url));
    const held = new Hold();
    model.answers.push({ held, tokens: ['So'] });
    expect(await figure('runs_under_way')).toBe(0);
    const answer = client.predict(flow, { question: 'Hi' });
    await eventually(async () => (await figure('runs_under_way')) === 1);
    held.letGo();
    expect((await answer).status).toBe(200);
    await eventually(async () => (await figure('runs_under_way')) === 0);
  });

  it('count the writes that wait for their transaction', async () => {
    const gate = service.app.get(WriteGate);
    const held = new Hold();
    const first = gate.write(() => held.over);
    await eventually(() => gate.queueLength === 0);
    const others = [1, 2, 3].map(() => gate.write(async () => undefined));
    expect(await figure('write_queue_length')).toBe(3);
    expect(await figure('write_lanes_in_use')).toBe(1);
    held.letGo();
    await Promise.all([first, ...others]);
    expect(await figure('write_queue_length')).toBe(0);
    expect(await figure('write_lanes_in_use')).toBe(0);
  });

  it('count the waiting reports, the late writes, and the runs taken over', async () => {
    expect(await figure('report_queue_length')).toBe(0);
    expect(await figure('late_writes_waiting')).toBe(0);
    expect(await figure('runs_taken_over_total')).toBe(0);
    jest.spyOn(service.app.get(Takeover), 'count', 'get').mockReturnValue(2);
    expect(await figure('runs_taken_over_total')).toBe(2);
    expect(await figure('runs_taken_over_total')).toBe(2);
    jest.restoreAllMocks();
  });
});
