import type { Browser, BrowserContext, BrowserContextOptions, Page, Request } from 'playwright-core';
import type { TestAppOptions } from './app.js';
import { holds, PHONE, watched } from './browser.js';
import { type PageFixture, pageFixture } from './page-fixture.js';

export const published = { access: { public: true } };

/** A chat page in a fresh browser context, and the steps of its user. */
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

  /**
   * The message field of the page's script. The served HTML has one too, which accepts text earlier but handles no
   * keys.
   */
  readonly field = () =>
    this.page.getByRole('textbox', { name: 'Message' }).and(this.page.locator('#message'));
  readonly button = (name: string | RegExp) => this.page.getByRole('button', { name, exact: true });
  readonly answers = () => this.page.getByRole('article', { name: 'Answer' });
  readonly lastAnswer = () => this.answers().last();
  readonly trouble = (words: string) => this.page.getByRole('alert').getByText(words);
  readonly picker = () => this.page.getByLabel('Photos', { exact: true });

  /** Waits until the message has left the composer and its answer is complete. */
  async idle(): Promise<void> {
    const composer = this.page.locator('.composer:not(.early)');
    await composer.locator('textarea:not([readonly])').waitFor();
    await composer.getByRole('button', { name: 'Stop', exact: true }).waitFor({ state: 'detached' });
    await composer.getByRole('button', { name: 'Send', exact: true }).waitFor();
  }

  async say(words: string): Promise<void> {
    await this.field().fill(words);
    await this.button('Send').click();
  }

  /** Waits until the service worker has all scripts of the page, cuts the network, and waits until the page knows. */
  async goOffline(): Promise<void> {
    await holds(this.page, 'navigator.serviceWorker.controller');
    await this.context.setOffline(true);
    await holds(this.page, '!navigator.onLine');
  }

  /** Waits until all photographs of the message, this many, are uploaded. */
  async ready(photographs: string): Promise<void> {
    await this.page.getByText(new RegExp(`^${photographs} ready`)).waitFor();
  }

  /** Opens the list of the chats on this device. */
  async openList(): Promise<void> {
    await this.button(/^(Inspections|Chats)$/).click();
    await this.page.getByRole('dialog').waitFor();
  }

  /** Opens a new chat from the list. */
  async restart(): Promise<void> {
    await this.openList();
    await this.button(/^New (inspection|chat)$/).click();
  }

  /** Collects the predictions that the page requests from now on. */
  predictions(): Request[] {
    const seen: Request[] = [];
    this.page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().includes('/prediction/')) seen.push(request);
    });
    return seen;
  }

  /** Drags files from outside onto the page. */
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

/** A file with the media type of a picture. */
export const pictureFile = (name: string, bytes: number, mimeType = 'image/jpeg') => ({
  name,
  mimeType,
  buffer: Buffer.alloc(bytes, 1),
});

/** The environment of chat page tests. */
export interface ChatFixture extends PageFixture {
  /** Opens a page in place of the previous one, until the end of the test. */
  visit: (options?: BrowserContextOptions) => Promise<ChatPage>;
}

/**
 * Registers a fixture for chat page tests. After each test it checks that no script failed and the policy refused
 * nothing.
 */
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
