import type { Locator, Page } from 'playwright-core';
import type { ChatPage } from './chat-page.js';
import type { ServiceClient } from './service-client.js';

/** The sheet that corrects a photograph, and the photographs of the conversation that open it. */
export class CorrectionSteps {
  /** Touches so far. */
  touches = 0;

  constructor(
    readonly page: Page,
    private readonly client: ServiceClient,
  ) {}

  readonly sheet = () => this.page.locator('dialog.sheet');
  readonly choice = (name: string | RegExp) => this.sheet().getByRole('button', { name, exact: true });
  readonly photograph = (name: string) =>
    this.page.getByRole('button', { name: new RegExp(`^Enlarge .*${name}$`) });
  /** The label on a photograph of the conversation: its area, or that it is withdrawn. */
  readonly label = (words: string) =>
    this.page.locator('.sent-photograph .place').getByText(words, { exact: true });

  async tap(locator: Locator): Promise<void> {
    this.touches++;
    await locator.tap();
  }

  /** Touches it until the sheet is open. */
  async pressLong(locator: Locator): Promise<void> {
    this.touches++;
    await locator.scrollIntoViewIfNeeded();
    const { x, y, width, height } = (await locator.boundingBox())!;
    const session = await this.page.context().newCDPSession(this.page);
    const touchPoints = [{ x: x + width / 2, y: y + height / 3 }];
    await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints });
    await this.sheet().waitFor();
    await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    await session.detach();
  }

  async closed(): Promise<void> {
    await this.sheet().waitFor({ state: 'detached' });
  }

  /** Returns the recorded photographs of the chat, by name. */
  async recorded(): Promise<Record<string, RecordedThere>> {
    const { body } = await this.client.admin('GET', `inspection/sessions/${await chatIdOf(this.page)}`);
    return Object.fromEntries((body.photographs as RecordedThere[]).map((one) => [one.name, one]));
  }
}

interface RecordedThere {
  id: string;
  name: string;
  area: string;
  turn: number;
  withdrawnAt: string | null;
}

/** Returns the chat id of this page, which is the session id of its inspection. */
export const chatIdOf = (page: Page): Promise<string> =>
  page.evaluate<string>(
    `JSON.parse(localStorage.getItem('chat:' + location.pathname.split('/')[2] + ':chatId'))`,
  );

/** Sends photographs with a message, and waits until the page shows all of them as recorded. */
export async function recordPictures(
  chat: ChatPage,
  files: { name: string; mimeType: string; buffer: Buffer }[],
): Promise<void> {
  const before = await chat.page.locator('.sent-photograph').count();
  await chat.picker().setInputFiles(files);
  await chat.ready(files.length === 1 ? '1 photo' : `${files.length} photos`);
  await chat.say('as found');
  await chat.page
    .locator('.sent-photograph')
    .nth(before + files.length - 1)
    .waitFor();
  await chat.idle();
}
