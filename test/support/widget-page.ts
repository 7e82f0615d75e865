import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import type { TestAppOptions } from './app.js';
import { DESK, watched } from './browser.js';
import { expectSoon } from './expect-soon.js';
import { type PageFixture, pageFixture } from './page-fixture.js';

const WIDGET = require.resolve('flowise-embed/dist/web.js');

/** The options that a page's author writes into it. `key` is sent by its request hook. */
export interface WidgetOptions {
  chatflowid: string;
  apiHost: string;
  chatflowConfig?: object;
  theme?: object;
  key?: string;
}

const script = ({ key, ...options }: WidgetOptions) => `<script type="module">
  import Chatbot from './web.js';
  const options = ${JSON.stringify(options)};
  const key = ${JSON.stringify(key ?? null)};
  if (key !== null)
    options.onRequest = async (request) => {
      request.headers = { ...request.headers, Authorization: 'Bearer ' + key };
    };
  Chatbot.initFull(options);
</script>`;

/** A website with the chat widget, on its own origin. */
export class WidgetSite {
  private lines: string | undefined;
  private readonly server = createServer((request, response) => {
    if (request.url === '/web.js')
      return response.setHeader('content-type', 'text/javascript').end(readFileSync(WIDGET));
    if (request.url !== '/' || this.lines === undefined) return response.writeHead(404).end();
    return response
      .setHeader('content-type', 'text/html; charset=utf-8')
      .end(`<!doctype html><title>A website</title>${this.lines}`);
  });

  async open(): Promise<void> {
    await new Promise<void>((done) => this.server.listen(0, '127.0.0.1', done));
  }

  get host(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Returns the address of a page that contains these lines. */
  showing(lines: string): string {
    this.lines = lines;
    return `http://${this.host}/`;
  }

  /** Returns the address of a page that is nothing but the chat, with these options. */
  with(options: WidgetOptions): string {
    return this.showing(`<flowise-fullchatbot></flowise-fullchatbot>${script(options)}`);
  }

  close(): Promise<void> {
    return new Promise((done) => {
      this.server.close(() => done());
      this.server.closeAllConnections();
    });
  }
}

export interface ChosenFile {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

/** The state of a browser that opens a page. */
export interface Visit {
  /** The page has only a button until the chat is opened. */
  asBubble?: boolean;
  /** The page's host for the browser. */
  host?: string;
  /** The page's `localStorage` of an earlier visit. */
  kept?: Record<string, string>;
}

/** npm `flowise-embed`, unmodified, in a fresh browser context, and the steps of its user. */
export class Widget {
  /** Must stay empty. */
  readonly faults: string[];

  private constructor(
    readonly context: BrowserContext,
    readonly page: Page,
  ) {
    this.faults = watched(page);
  }

  static async on(address: string, { browser }: PageFixture, visit: Visit = {}): Promise<Widget> {
    const context = await browser.newContext(DESK);
    // Sounds and pictures that it would load from other sites.
    await context.route(
      ({ hostname }) => hostname !== '127.0.0.1',
      (route) => route.abort(),
    );
    const { asBubble = false, host, kept } = visit;
    if (host !== undefined) {
      await context.grantPermissions(['local-network-access']);
      await context.route(`https://${host}/**`, async (route) => {
        const { pathname } = new URL(route.request().url());
        return route.fulfill({ response: await route.fetch({ url: new URL(pathname, address).href }) });
      });
    }
    const widget = new Widget(context, await context.newPage());
    if (kept)
      await widget.page.addInitScript(
        `for (const [name, value] of Object.entries(${JSON.stringify(kept)})) localStorage[name] ??= value;`,
      );
    await widget.shown(async () => {
      await widget.page.goto(host === undefined ? address : `https://${host}/`);
      if (asBubble) await widget.page.locator('[part=button]').click();
    });
    return widget;
  }

  readonly field = () => this.page.getByPlaceholder('Type your question');
  readonly questions = () => this.page.locator('.chatbot-guest-bubble');
  readonly answers = () => this.page.locator('.bot-markdown-content');
  /** A suggested question. */
  readonly offer = (words: string) => this.page.locator('[data-modal-target]', { hasText: words });
  readonly lastAnswer = () => this.answers().last();
  readonly button = (name: string | RegExp): Locator => this.page.getByRole('button', { name });

  /** Replaces Send, which is a button without a label too, while a run can be stopped. */
  readonly stop = () => this.page.getByTitle('Stop');

  /** Waits for its request for its appearance, which is the last one. */
  private async shown(arrive: () => Promise<unknown>): Promise<void> {
    const configured = this.page.waitForResponse((response) =>
      response.url().includes('/public-chatbotConfig/'),
    );
    await arrive();
    await (await configured).finished();
  }

  reload(): Promise<void> {
    return this.shown(() => this.page.reload());
  }

  /** The answer of the service to the next such request. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  async answerTo(method: string, path: string): Promise<any> {
    const response = await this.page.waitForResponse(
      (one) => one.request().method() === method && one.url().includes(`/api/v1${path}`),
    );
    return response.json();
  }

  async say(words: string): Promise<void> {
    await this.field().fill(words);
    await this.field().press('Enter');
  }

  /** Chooses files with its button for pictures or for other files, and waits until it shows all of them. */
  async choose(button: 'Image' | 'File', ...files: ChosenFile[]): Promise<void> {
    const inputs = this.page.locator('input[type=file]');
    await (button === 'Image' ? inputs.first() : inputs.last()).setInputFiles(files);
    await this.page
      .locator('.border-t.gap-2 > *')
      .nth(files.length - 1)
      .waitFor();
  }

  async answered(words: string | RegExp): Promise<void> {
    await this.answers().filter({ hasText: words }).last().waitFor();
  }

  /** Waits for errors that nobody catches, which are reported a moment after what the widget shows; forgives them. */
  async threw(...errors: string[]): Promise<void> {
    await expectSoon(async () => this.faults).toEqual(errors);
    this.faults.length = 0;
  }

  /** Waits until the next message can be written. */
  async idle(): Promise<void> {
    await this.page.locator('textarea:not([disabled])').waitFor();
  }
}

/** A service, a website of another origin, and a browser. */
export interface WidgetFixture extends PageFixture {
  site: WidgetSite;
  /** Opens the widget of this flow, until the end of the test. */
  visit(flowId: string, more?: Partial<WidgetOptions>): Promise<Widget>;
}

/** Registers a fixture for widget tests. After each test it checks that no script of the page failed. */
export function widgetFixture(options: TestAppOptions = {}): WidgetFixture {
  const pages = pageFixture(options);
  const site = new WidgetSite();
  let widget: Widget | undefined;
  beforeAll(() => site.open());
  afterAll(() => site.close());
  afterEach(async () => {
    await widget?.context.close();
    expect(widget?.faults ?? []).toEqual([]);
    widget = undefined;
  });
  const visit = async (chatflowid: string, more: Partial<WidgetOptions> = {}) =>
    (widget = await Widget.on(site.with({ chatflowid, apiHost: pages.service.url, ...more }), pages));
  return Object.assign(pages, { site, visit });
}
