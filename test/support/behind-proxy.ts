import { startTestApp, type TestApp } from './app.js';
import { makePlace, type TestPlace } from './databases.js';
import { echoFlow } from './flows.js';
import { type PostgresProxy, startPostgresProxy } from './postgres-proxy.js';
import { ServiceClient } from './service-client.js';
import { postgresReachable } from './services.js';

/** A service whose connections to PostgreSQL can break, with credit and a flow. */
export interface BehindProxy {
  proxy: PostgresProxy;
  place: TestPlace;
  service: TestApp;
  client: ServiceClient;
  flow: string;
  /** Returns the balance of the paying account. */
  balance: () => Promise<number>;
  close: () => Promise<void>;
}

/** Undefined, with a message on the console, when there is no PostgreSQL. */
export async function startBehindProxy(): Promise<BehindProxy | undefined> {
  if (!(await postgresReachable())) return undefined;
  const place = await makePlace('postgres');
  const proxy = await startPostgresProxy(place.databaseUrl);
  // Allows more renders per minute than one address usually may request.
  const env = { RENDERS_PER_MINUTE: '1000' };
  const service = await startTestApp({ place: { ...place, databaseUrl: proxy.url }, env });
  const client = new ServiceClient(() => service);
  await client.admin('POST', 'credit/default/top-ups', { amount: 1000, reference: 'tests' });
  const flow = await client.flow(echoFlow());
  return {
    place,
    proxy,
    service,
    client,
    flow,
    balance: async () => (await client.admin('GET', 'credit/default')).body.balance as number,
    close: async () => {
      await service.close({ keep: true });
      await proxy.close();
      await place.remove();
    },
  };
}
