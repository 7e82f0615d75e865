import type { Locator } from 'playwright-core';
import type { ConsoleFixture } from './console.js';
import { putExecutions, putTrace } from './execution-rows.js';
import { chatFlow, echoFlow } from './flows.js';

const DAY_MS = 24 * 3_600_000;

/** The environment of the console's execution tests: two flows, the list, and a failed chat. */
export interface ExecutionsPage {
  /** Ids of a flow that echoes and of one that calls the model; set in `beforeAll`. */
  flows: { echo: string; chat: string };
  list: () => Locator;
  rowWith: (text: string) => Locator;
  /** Selects an option of a filter. */
  choose: (filter: string, option: string) => Promise<void>;
  /** Returns the search parameters of the address. */
  search: () => Record<string, string>;
  /** Makes a chat of yesterday with one failed model call; returns the id of that call. */
  failYesterday: (chatId: string) => Promise<string>;
}

export function executionsPage(fixture: ConsoleFixture): ExecutionsPage {
  const { client, page } = fixture;
  const flows = { echo: '', chat: '' };
  beforeAll(async () => {
    flows.echo = await client.flow(echoFlow());
    flows.chat = await client.flow(chatFlow(fixture.model.url, { id: 'tenancy', name: 'Tenancy questions' }));
  });
  const list = () => page().getByRole('grid', { name: 'Executions' });
  return {
    flows,
    list,
    rowWith: (text) => list().getByRole('row').filter({ hasText: text }),
    choose: async (filter, option) => {
      await page()
        .getByRole('button', { name: new RegExp(`${filter}$`) })
        .click();
      await page().getByRole('option', { name: option, exact: true }).click();
    },
    search: () => Object.fromEntries(new URL(page().url()).searchParams),
    failYesterday: (chatId) => failYesterday(fixture, flows.chat, chatId),
  };
}

async function failYesterday({ service }: ConsoleFixture, flowId: string, chatId: string): Promise<string> {
  const midday = service.clock.now() - DAY_MS;
  const about = { flowId, flowName: 'Tenancy questions', chatId };
  const [, failed] = await putExecutions(service, [
    { ...about, startedAt: midday - 60_000, question: 'When is my rent due?', answer: 'On the first.' },
    {
      ...about,
      startedAt: midday,
      status: 'failed',
      httpStatus: 500,
      code: 'flow_failed',
      error: 'The model fake answered with status 429: quota exhausted.',
      failedNode: { id: 'llm', label: 'Think' },
      question: 'I paid on Friday.',
      durationMs: 2_500,
    },
    { ...about, startedAt: midday + 60_000, kind: 'capture' },
  ]);
  await putTrace(service, failed!, midday, [
    {
      nodeId: 'start',
      label: 'Start',
      kind: 'start',
      input: { question: 'I paid on Friday.' },
      output: {},
    },
    {
      nodeId: 'llm',
      label: 'Think',
      kind: 'llm',
      status: 'failed',
      durationMs: 2_480,
      input: { messages: [{ role: 'user', content: 'I paid on Friday.' }] },
      error: 'The model fake answered with status 429: quota exhausted.',
    },
  ]);
  return failed!;
}
