import type { Browser } from 'playwright-core';
import { startTestApp, type TestApp, type TestAppOptions } from './app.js';
import { browserExists, openBrowser } from './browser.js';
import { type FakeModel, startFakeModel } from './fake-model.js';
import { type Network, startNetwork } from './network.js';
import { ServiceClient } from './service-client.js';
import { buildPages } from './web.js';

/** `describe` for tests in a browser: skipped without one. */
export function describeInBrowser(name: string, tests: () => void): void {
  (browserExists() ? describe : describe.skip)(name, tests);
}

/** The environment of page tests; all but `client` is set in `beforeAll`. */
export interface PageFixture {
  service: TestApp;
  browser: Browser;
  /** Lies between browser and service, for tests that cut it. */
  network: Network;
  model: FakeModel;
  readonly client: ServiceClient;
}

/** Starts a service with built pages, and a browser, before all tests of this `describe`; stops them afterwards. */
export function pageFixture(options: TestAppOptions = {}): PageFixture {
  const fixture = { client: new ServiceClient(() => fixture.service) } as PageFixture;
  beforeAll(async () => {
    buildPages();
    fixture.model = await startFakeModel();
    fixture.service = await startTestApp(options);
    fixture.network = await startNetwork(fixture.service.url);
    fixture.browser = await openBrowser();
  });
  beforeEach(() => {
    fixture.network.mend();
    fixture.model.answers.length = 0;
  });
  afterAll(async () => {
    const { browser, network, service, model } = fixture as Partial<PageFixture>;
    await browser?.close();
    await network?.close();
    await service?.close();
    await model?.close();
  });
  return fixture;
}

/** Restarts the service on its database and files; the network leads to the new one. */
export async function restartService(
  fixture: PageFixture,
  meanwhile: () => Promise<unknown> = async () => undefined,
): Promise<void> {
  const { service, network } = fixture;
  await service.close({ keep: true });
  fixture.service = await startTestApp({ place: service.place });
  await meanwhile();
  network.lead(fixture.service.url);
  network.mend();
}
