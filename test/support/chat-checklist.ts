import type { Locator } from 'playwright-core';
import { chatIdOf } from './chat-corrections.js';
import type { ChatPage } from './chat-page.js';
import type { ServiceClient } from './service-client.js';

/** The checklist of the chat page, and the records of its inspection. */
export class ChecklistSteps {
  /** Taps since the last `count`. */
  private taps = 0;

  constructor(
    readonly chat: ChatPage,
    private readonly client: ServiceClient,
    private readonly flowId: string,
  ) {}

  readonly sheet = () => this.chat.page.getByRole('dialog', { name: 'Checklist' });
  /** The button that opens the corrections of a thing. */
  readonly thing = (words: string) =>
    this.sheet()
      .locator('.checklist-thing')
      .filter({ hasText: new RegExp(`^${words}`) });
  readonly area = (name: string) =>
    this.sheet()
      .locator('.checklist-areas > li')
      .filter({ has: this.chat.page.locator('.checklist-go').getByText(name, { exact: true }) });
  readonly button = (name: string | RegExp) => this.sheet().getByRole('button', { name, exact: true });
  /** An area that a thing can be moved to. */
  readonly target = (area: string) => this.sheet().locator('.chip').getByText(area, { exact: true });
  readonly field = (label: string) => this.sheet().getByLabel(label, { exact: true });

  async open(): Promise<void> {
    await this.tap(this.chat.button('Checklist'));
    await this.sheet().getByRole('list', { name: 'Areas' }).waitFor();
  }

  async close(): Promise<void> {
    await this.chat.button('Close').click();
    await this.sheet().waitFor({ state: 'detached' });
  }

  async tap(locator: Locator): Promise<void> {
    this.taps++;
    await locator.tap();
  }

  /** Returns the taps since the last call. */
  count(): number {
    const { taps } = this;
    this.taps = 0;
    return taps;
  }

  /** Records without the page: another device, or a flow with a model. */
  async capture(members: object): Promise<void> {
    const sessionId = await chatIdOf(this.chat.page);
    const body = { flowId: this.flowId, sessionId, ...members };
    const { status } = await this.client.admin('POST', 'inspection/capture', body);
    expect(status).toBe(200);
  }

  /** Returns the things of the session: `reading of Gas Meter: 04713`. */
  async recorded(): Promise<string[]> {
    const session = `inspection/sessions/${await chatIdOf(this.chat.page)}`;
    const { body } = await this.client.admin('GET', `${session}/things?flowId=${this.flowId}&limit=200`);
    const things = body.data as { kind: string; area: string | null; text?: string }[];
    return things
      .filter(({ area }) => area !== null)
      .map(({ kind, area, text }) => `${kind} of ${area}${text === undefined ? '' : `: ${text}`}`);
  }
}
