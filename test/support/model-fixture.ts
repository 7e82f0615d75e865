import { startTestApp, type TestApp } from './app.js';
import { defaultModel, type FakeModel, startFakeModel } from './fake-model.js';
import { ServiceClient } from './service-client.js';

/** A service and its default model for the tests of one `describe`. */
export class ModelFixture {
  service!: TestApp;
  model!: FakeModel;
  readonly client = new ServiceClient(() => this.service);

  /** Registers the hooks that start and stop both, and clear the model before each test. */
  constructor(env: Readonly<Record<string, string>> = {}) {
    beforeAll(async () => {
      this.model = await startFakeModel();
      this.service = await startTestApp({ env: { ...env, ...defaultModel(this.model) } });
    });
    beforeEach(() => {
      this.model.requests.length = 0;
      this.model.answers.length = 0;
    });
    afterAll(async () => {
      await this.service.close();
      await this.model.close();
    });
  }
}
