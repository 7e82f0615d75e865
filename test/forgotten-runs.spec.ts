import { Readiness } from '../src/common/health/readiness.js';
import { Overloaded } from '../src/common/service-error.js';
import { DatabaseAway, OutcomeUnknown } from '../src/database/away.js';
import { DatabaseReader } from '../src/database/database-reader.js';
import { LateWrites } from '../src/database/writes/late-writes.js';
import { RunningCalls } from '../src/executions/calls/running-calls.js';
import { Takeover } from '../src/executions/calls/takeover.js';
import { StoredCalls } from '../src/prediction/async/stored-calls.js';
import { PredictionService } from '../src/prediction/run/prediction.service.js';
import { BlobStore } from '../src/storage/blob-store.js';
import { startTestApp, type TestApp } from './support/app.js';
import { eventually } from './support/eventually.js';
import { type HeldTarget, startHeldTarget } from './support/held-target.js';
import { type Answer, ServiceClient } from './support/service-client.js';

/** A run that outlives its process is resumed while any process lives, whatever failed when it changed hands. */
describe('an accepted run', () => {
  let service: TestApp;
  let target: HeldTarget;
  let flowId: string;
  const client = new ServiceClient(() => service);

  beforeAll(async () => {
    target = await startHeldTarget();
    service = await startTestApp({ env: { OUTBOUND_ALLOW: target.host } });
    flowId = await client.flow({
      name: 'Books',
      price: 1,
      nodes: [
        { id: 'start', kind: 'start' },
        { id: 'book', kind: 'http', config: { method: 'POST', url: `http://${target.host}/book` } },
        { id: 'reply', kind: 'reply', config: { message: 'done' } },
      ],
      edges: [
        { from: 'start', to: 'book' },
        { from: 'book', to: 'reply' },
      ],
    });
  });
  beforeEach(() => {
    target.holds = false;
    target.asked.length = 0;
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(async () => {
    await service.close();
    target.close();
  });

  const balance = async () => (await client.admin('GET', 'credit/default')).body.balance as number;
  const accept = () => client.predict(flowId, { question: 'Hi' }, { prefer: 'respond-async' });
  const isDone = async (accepted: Answer) =>
    (await client.send('GET', accepted.headers.get('location')!)).body.status === 'succeeded';

  /** Makes a run without an owner, as after the shutdown of a process, for this process to take over. */
  const nobodys = async () => {
    // The first owner does nothing.
    jest
      .spyOn(service.app.get(PredictionService), 'runUnderLock')
      .mockReturnValueOnce(new Promise(() => undefined));
    const accepted = await accept();
    expect(accepted.status).toBe(202);
    const life = service.app.get(RunningCalls).find(accepted.body.executionId as string)!;
    await service.app.get(Takeover).handOver(life);
    service.app.get(RunningCalls).remove(life);
    return accepted;
  };

  const isRunOnce = async (accepted: Answer, before: number) => {
    await eventually(() => isDone(accepted));
    expect([target.asked.length, before - (await balance())]).toEqual([1, 1]);
  };

  it('continues if the answer to its takeover was lost', async () => {
    const before = await balance();
    const takeover = service.app.get(Takeover);
    const takeOver = takeover.takeOver.bind(takeover);
    let lost = 0;
    jest.spyOn(takeover, 'takeOver').mockImplementation(async (executionId, from) => {
      if (lost > 0) return takeOver(executionId, from);
      lost++;
      const { resume } = takeover as unknown as { resume: () => Promise<void> };
      takeover.resumeWith(async () => undefined);
      await takeOver(executionId, from).finally(() => takeover.resumeWith(resume));
      throw new OutcomeUnknown(undefined);
    });
    await isRunOnce(await nobodys(), before);
    expect(lost).toBe(1);
  });

  it('continues if the database failed after its takeover, so that it could not be handed over', async () => {
    const before = await balance();
    const accepted = await nobodys();
    const away = new DatabaseAway(undefined);
    const find = jest.spyOn(service.app.get(StoredCalls), 'find').mockRejectedValueOnce(away);
    const handOver = jest.spyOn(service.app.get(Takeover), 'handOver').mockRejectedValueOnce(away);
    await isRunOnce(accepted, before);
    expect([find.mock.calls.length, handOver.mock.calls.length]).toEqual([2, 1]);
  });

  it('continues while an unrelated write waits', async () => {
    const before = await balance();
    const late = service.app.get(LateWrites);
    const away = new DatabaseAway(undefined);
    let waits = true;
    late.later('something else', async () => waits && Promise.reject(away), away, 'another execution');
    const accepted = await nobodys();
    jest.spyOn(service.app.get(StoredCalls), 'find').mockRejectedValueOnce(away);
    jest.spyOn(service.app.get(Takeover), 'handOver').mockRejectedValueOnce(away);
    await isRunOnce(accepted, before);
    expect(late.queueLength).toBe(1);
    waits = false;
    await eventually(() => late.queueLength === 0);
  });

  it('waits until the store is back if its call could not be read', async () => {
    const before = await balance();
    const read = jest
      .spyOn(service.app.get(BlobStore), 'read')
      .mockRejectedValueOnce(new Overloaded('The store is away.', 1));
    await isRunOnce(await accept(), before);
    expect(read.mock.calls.length).toBeGreaterThan(1);
  });

  it('stays with its process, however long it runs', async () => {
    const giveUp = jest.spyOn(service.app.get(Takeover), 'giveUp');
    target.holds = true;
    await accept();
    await eventually(() => target.asked.length === 1);
    // Longer than two checks for forgotten runs.
    await new Promise((resolve) => setTimeout(resolve, 5_000));
    expect(giveUp).not.toHaveBeenCalled();
  });

  it('stays while a write of its end waits, and is handed over if it still runs after that', async () => {
    const giveUp = jest.spyOn(service.app.get(Takeover), 'giveUp');
    target.holds = true;
    const accepted = await accept();
    await eventually(() => target.asked.length === 1);
    const calls = service.app.get(RunningCalls);
    const executionId = accepted.body.executionId as string;
    calls.remove(calls.find(executionId)!);
    const away = new DatabaseAway(undefined);
    let waits = true;
    service.app
      .get(LateWrites)
      .later('its end', async () => waits && Promise.reject(away), away, executionId);
    await new Promise((resolve) => setTimeout(resolve, 5_000));
    expect(giveUp).not.toHaveBeenCalled();
    waits = false;
    await eventually(() => giveUp.mock.calls.some(([, run]) => run.executionId === executionId));
  });

  // Comes last: this process takes no more calls.
  it('has no owner, and is not begun, if its process shuts down while taking it over', async () => {
    const accepted = await nobodys();
    const owner = async () =>
      (
        await service.app
          .get(DatabaseReader)
          .one<{ name: string }>('SELECT process_id AS name FROM executions WHERE id = ?', [
            accepted.body.executionId as string,
          ])
      )?.name;
    const calls = service.app.get(StoredCalls);
    const find = calls.find.bind(calls);
    jest.spyOn(calls, 'find').mockImplementationOnce(async (attempt) => {
      service.app.get(Readiness).markStopping();
      expect(await owner()).not.toBe('');
      return find(attempt);
    });
    const taken = jest.spyOn(service.app.get(Takeover), 'takeOver');
    await eventually(async () => taken.mock.calls.length > 0 && (await owner()) === '');
    const looks = taken.mock.calls.length;
    await eventually(() => taken.mock.calls.length > looks);
    expect([await owner(), target.asked.length]).toEqual(['', 0]);
  });
});
