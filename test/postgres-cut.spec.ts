import { ExecutionLog } from '../src/executions/log/execution-log.js';
import { type BehindProxy, startBehindProxy } from './support/behind-proxy.js';
import { eventually } from './support/eventually.js';
import { echoFlow } from './support/flows.js';
import { describeOnPostgres } from './support/on-postgres.js';
import type { Break } from './support/postgres-proxy.js';
import { smallJpeg } from './support/recorded-photographs.js';
import type { Answer } from './support/service-client.js';

type Call = (turn: string) => Promise<Answer>;

/** Breaks the connections at the first message of a call, in the next call at the second, and so on up to the last. */
describeOnPostgres.each<Break>(['before', 'after', 'terminated'])(
  'connections to PostgreSQL that are all cut (%s the message)',
  (how) => {
    let behind: BehindProxy | undefined;
    let photographs: object[];

    beforeAll(async () => {
      behind = await startBehindProxy();
      photographs = [{ data: (await smallJpeg()).toString('base64'), mime: 'image/jpeg' }];
    });

    afterAll(() => behind?.close());

    const capture = (sessionId: string) =>
      behind!.client.send('POST', '/api/v1/inspection/capture', {
        ...{ flowId: behind!.flow, sessionId, area: 'Kitchen', photographs },
      });
    const render = (sessionId: string) =>
      behind!.client.send('POST', '/api/v1/pdf/render', {
        templateId: 'inspection',
        source: { type: 'inspection', flowId: behind!.flow, sessionId, meta: {} },
      });
    const admin =
      (path: string): Call =>
      () =>
        behind!.client.admin('GET', path);

    /** Waits until background writes of earlier calls are done and the pool is intact. */
    async function settled({ client, service }: BehindProxy) {
      await eventually(async () => (await client.admin('GET', 'credit/default')).status === 200);
      await service.app.get(ExecutionLog).flush();
      await new Promise((resolve) => setTimeout(resolve, 60));
    }

    /** Returns the answers of all rounds; in the last one the call needed so few messages that nothing was cut. */
    async function cuttingEach(name: string, call: Call, prepare?: Call): Promise<Answer[]> {
      const answers: Answer[] = [];
      for (let passing = 0; passing < 60; passing++) {
        const turn = `${name}-${how}-${passing}`;
        // Connections that the round before cut may fail the first try.
        if (prepare) await eventually(async () => (await prepare(turn)).status === 200);
        await settled(behind!);
        behind!.proxy.breakAt(passing, how);
        answers.push(await call(turn));
        if (behind!.proxy.callOff()) return answers;
      }
      throw new Error('a call that never stops to ask the database');
    }

    /** Expects 200, or 503 with Retry-After, and a record that agrees. */
    async function expectToldAndRecorded(answers: Answer[]) {
      expect(answers.length).toBeGreaterThan(1);
      for (const answer of answers) {
        expect([200, 503]).toContain(answer.status);
        if (answer.status === 503) expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
        const id = answer.headers.get('x-execution-id');
        if (id !== null) expect((await behind!.client.ended(id)).httpStatus).toBe(answer.status);
      }
      const running = await behind!.client.admin('GET', 'executions?status=running');
      expect(running.body.data).toEqual([]);
    }

    it('do not fail a prediction with 500, and charge it once or not at all', async () => {
      if (!behind) return;
      const before = await behind.balance();
      const answers = await cuttingEach('p', (turn) =>
        behind!.client.predict(behind!.flow, { question: 'Hi', chatId: turn }, { 'idempotency-key': turn }),
      );
      await expectToldAndRecorded(answers);
      const paid = answers.filter(({ status }) => status === 200).length;
      await eventually(async () => (await behind!.balance()) === before - paid);
    });

    it('end a stream with its events, or refuse it with 503', async () => {
      if (!behind) return;
      const answers = await cuttingEach('s', (turn) =>
        behind!.client.predict(behind!.flow, { question: 'Hi', chatId: turn, streaming: true }),
      );
      expect(answers.length).toBeGreaterThan(1);
      for (const { status, text } of answers) {
        expect([200, 503]).toContain(status);
        if (status === 200) expect(text).toContain('"event":"end"');
      }
    });

    it('do not fail a capture with 500, and record its photograph once', async () => {
      if (!behind) return;
      const answers = await cuttingEach('c', capture);
      await expectToldAndRecorded(answers);
      for (const [passing, { status }] of answers.entries()) {
        if (status === 200) continue;
        const again = await capture(`c-${how}-${passing}`);
        expect(again.status).toBe(200);
      }
    });

    it('do not fail a render with 500, and lose no photograph', async () => {
      if (!behind) return;
      const answers = await cuttingEach('r', render, capture);
      await expectToldAndRecorded(answers);
      for (const [passing, { status }] of answers.entries()) {
        const again = () => render(`r-${how}-${passing}`);
        if (status === 200) expect((await again()).body.file).toBeNull();
        // A caller comes back after the seconds in Retry-After; until then the claim may still be held.
        else await eventually(async () => (await again()).body.file !== null);
      }
    });

    it('do not fail a run whose node they hit with 500', async () => {
      if (!behind) return;
      const flow = await behind.client.flow({
        ...echoFlow(),
        nodes: [
          { id: 'start', kind: 'start' },
          { id: 'capture', kind: 'capture', config: { remark: '{{question}}', area: 'Hall' } },
          { id: 'reply', kind: 'reply', config: { message: 'Thank you' } },
        ],
        edges: [
          { from: 'start', to: 'capture' },
          { from: 'capture', to: 'reply' },
        ],
      });
      const before = await behind.balance();
      const answers = await cuttingEach('n', (turn) =>
        behind!.client.predict(flow, { question: 'Hi', chatId: turn }),
      );
      await expectToldAndRecorded(answers);
      const paid = answers.filter(({ status }) => status === 200).length;
      await eventually(async () => (await behind!.balance()) === before - paid);
    });

    it('do not fail concurrent calls that share a transaction with 500', async () => {
      if (!behind) return;
      const { client, proxy, flow } = behind;
      const calls = (turn: string): Promise<Answer>[] => [
        ...Array.from({ length: 8 }, (_, index) =>
          client.predict(flow, { question: 'Hi', chatId: `${turn}-${index}` }),
        ),
        ...Array.from({ length: 4 }, (_, index) => capture(`${turn}-${index}`)),
        ...Array.from({ length: 2 }, () => client.admin('GET', 'executions')),
      ];
      const answers: Answer[] = [];
      for (let passing = 0; passing < 40; passing += 2) {
        await settled(behind);
        proxy.breakAt(passing, how);
        answers.push(...(await Promise.all(calls(`m-${how}-${passing}`))));
        if (proxy.callOff()) break;
      }
      await expectToldAndRecorded(answers);
    });

    it.each([
      'flows',
      'executions',
      'executions?q=Hi',
      'executions/stats',
      'api-keys',
      'credit/default/entries',
      'address-blocks',
      'credentials',
      'inspection/sessions',
    ])('do not fail a reading of %s with 500', async (path) => {
      if (!behind) return;
      const answers = await cuttingEach('a', admin(path));
      await expectToldAndRecorded(answers);
    });
  },
);
