import { startTestApp, type TestApp } from './support/app.js';
import { databases } from './support/databases.js';
import { echoFlow } from './support/flows.js';
import { ServiceClient } from './support/service-client.js';
import { postgresReachable } from './support/services.js';

const REAL = 30;
/** Unknown ids before each real one. */
const BEFORE = 19;

describe.each(databases)('a burst of guesses on %s', (kind) => {
  const services: TestApp[] = [];
  let real: Set<string>;
  const client = new ServiceClient(() => services[0]!);

  beforeAll(async () => {
    if (kind === 'postgres' && !(await postgresReachable())) return;
    const env = { MAX_IN_FLIGHT: '10000', INITIAL_CREDIT: '100000' };
    services.push(await startTestApp({ database: kind, env }));
    services.push(await startTestApp({ place: services[0]!.place, env }));
    const { id } = (await client.admin('POST', 'api-keys', { name: 'theirs' })).body as { id: string };
    real = new Set();
    for (let n = 0; n < REAL; n++)
      real.add(await client.flow(echoFlow(n % 2 ? {} : { access: { apiKeyId: id } })));
  });

  afterAll(async () => {
    for (const service of services.reverse()) await service.close({ keep: service !== services.at(-1) });
  });

  /** Sends all guesses at once, including open and keyed flows, in rotation to this many processes. */
  async function guess(processes: number) {
    const guesses = [...real].flatMap((id, n) => [
      ...Array.from({ length: BEFORE }, (_, miss) => `unknown-${n}-${miss}`),
      id,
    ]);
    const clients = services.slice(0, processes).map((service) => new ServiceClient(() => service));
    const answers = await Promise.all(
      guesses.map(async (id, n) => {
        const { status } = await clients[n % processes]!.predict(id, { question: 'Hi' });
        return { id, status };
      }),
    );
    await client.admin('DELETE', 'address-blocks/127.0.0.1');
    return answers;
  }

  it.each([1, 2])(
    'reveals no real flow once its third miss is counted, by %i processes',
    async (processes) => {
      if (services.length === 0) return;
      const answers = await guess(processes);
      expect(answers.filter(({ status }) => status === 404)).toHaveLength(3);
      expect(answers.filter(({ id, status }) => real.has(id) && status !== 429)).toEqual([]);
    },
  );
});
