import type { Browser, BrowserContext, BrowserContextOptions, Page, Request } from 'playwright-core';
import type { TestAppOptions } from './app.js';
import { PHONE, watched } from './browser.js';
import { type PageFixture, pageFixture } from './page-fixture.js';

export const published = { access: { public: true } };

/** A chat page in a browser that has never been there, and what a person does on it. */
export class ChatPage {
  /** Must stay empty. */
  readonly faults: string[];

  private constructor(
    readonly context: BrowserContext,
    readonly page: Page,
  ) {
    this.faults = watched(page);
  }

  static async visit(browser: Browser, options: BrowserContextOptions = PHONE): Promise<ChatPage> {
    const context = await browser.newContext(options);
    return new ChatPage(context, await context.newPage());
  }

  async open(flowId: string, url: string): Promise<void> {
    await this.page.goto(`${url}/chat/${flowId}`);
  }

  /** Of the page's script: the field of the served page takes words before, and knows no keys. */
  readonly field = () =>
    this.page.getByRole('textbox', { name: 'Message' }).and(this.page.locator('#message'));
  readonly button = (name: string | RegExp) => this.page.getByRole('button', { name, exact: true });
  readonly answers = () => this.page.getByRole('article', { name: 'Answer' });
  readonly lastAnswer = () => this.answers().last();
  readonly trouble = (words: string) => this.page.getByRole('alert').getByText(words);
  readonly picker = () => this.page.getByLabel('Photos', { exact: true });

  /** Until the next message can be sent. */
  async idle(): Promise<void> {
    await this.page
      .locator('.composer:not(.early)')
      .getByRole('button', { name: 'Send', exact: true })
      .waitFor();
  }

  async say(words: string): Promise<void> {
    await this.field().fill(words);
    await this.button('Send').click();
  }

  /** Until all photographs of the message, so many, have arrived. */
  async ready(photographs: string): Promise<void> {
    await this.page.getByText(new RegExp(`^${photographs} ready`)).waitFor();
  }

  async restart(): Promise<void> {
    await this.button('New chat').click();
    await this.button('Start a new chat').click();
  }

  /** The predictions that the page asks for from now on. */
  predictions(): Request[] {
    const seen: Request[] = [];
    this.page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().includes('/prediction/')) seen.push(request);
    });
    return seen;
  }

  /** Drops files on the page, as dragging them from elsewhere does. */
  async drag(event: 'dragenter' | 'dragleave' | 'drop', files: Record<string, string>): Promise<void> {
    await this.page.evaluate(`{
      const dataTransfer = new DataTransfer();
      for (const [name, type] of Object.entries(${JSON.stringify(files)}))
        dataTransfer.items.add(new File(['x'], name, { type }));
      const init = { bubbles: true, cancelable: true, dataTransfer };
      globalThis.taken = !document.querySelector('main').dispatchEvent(new DragEvent('${event}', init));
    }`);
  }

  async close(): Promise<void> {
    await this.context.close();
  }
}

/** A file that a browser takes for a picture. */
export const pictureFile = (name: string, bytes: number, mimeType = 'image/jpeg') => ({
  name,
  mimeType,
  buffer: Buffer.alloc(bytes, 1),
});

/** The environment of tests of the chat page. */
export interface ChatFixture extends PageFixture {
  /** A page in the place of the one before, until the end of the test. */
  visit: (options?: BrowserContextOptions) => Promise<ChatPage>;
}

/** A fixture for tests of the chat page. Whatever a test did: no script has failed, and the policy has refused nothing. */
export function chatFixture(options: TestAppOptions = {}): ChatFixture {
  const fixture = pageFixture(options);
  let chat: ChatPage | undefined;
  const leave = async () => {
    await chat?.close();
    expect(chat?.faults ?? []).toEqual([]);
    chat = undefined;
  };
  afterEach(leave);
  const visit = async (device?: BrowserContextOptions) => {
    await leave();
    return (chat = await ChatPage.visit(fixture.browser, device));
  };
  return Object.assign(fixture, { visit });
}
