import type { Locator, Page } from 'playwright-core';
import type { ConsoleFixture } from './console.js';
import { smallJpeg } from './recorded-photographs.js';

/** The sample flow to which the inspections of these tests belong. */
export const FLOW = 'inspection-assistant';

/** Returns the console address of an inspection. */
export const inspectionPath = (id: string, tab = 'photographs'): string =>
  `/console/inspections/${encodeURIComponent(id)}?flowId=${FLOW}&tab=${tab}`;

/** A photograph for a JSON capture, different from every other. */
export const picture = async (more: object = {}): Promise<object> => ({
  data: `data:image/jpeg;base64,${(await smallJpeg()).toString('base64')}`,
  ...more,
});

/** Steps of the console's inspection tests. */
export interface InspectionsPage {
  /** Captures through the API. */
  capture: (
    sessionId: string,
    body: Record<string, unknown>,
  ) => Promise<{ recorded: { id: string; sha256: string }[] }>;
  /** Chooses photographs on the page. */
  choose: (files: readonly string[]) => Promise<void>;
}

export function inspectionsPage({ client, page }: ConsoleFixture): InspectionsPage {
  return {
    capture: async (sessionId, body) => {
      const captured = { flowId: FLOW, sessionId, ...body };
      const answer = await client.send('POST', '/api/v1/inspection/capture', captured);
      expect(answer.status).toBe(200);
      return answer.body as { recorded: { id: string; sha256: string }[] };
    },
    choose: async (files) => {
      const chooser = page().waitForEvent('filechooser');
      await page().getByRole('button', { name: 'Choose photographs' }).click();
      await (await chooser).setFiles(files);
    },
  };
}

/** Returns the area of each photograph of a session, in order of arrival. */
export const areasOf = ({ photographs }: { photographs: { area: string }[] }): string[] =>
  photographs.map(({ area }) => area);

/** Returns a point in the upper part of an element on screen. */
const pointOf = async (place: Locator): Promise<{ x: number; y: number }> => {
  const box = (await place.boundingBox())!;
  return { x: box.x + box.width / 2, y: box.y + Math.min(box.height / 2, 24) };
};

/** Drags with the mouse, and drops unless `givenUp`. The target may appear during the drag. */
export async function drag(page: Page, from: Locator, to: Locator, { givenUp = false } = {}): Promise<void> {
  await from.scrollIntoViewIfNeeded();
  const start = await pointOf(from);
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  await page.mouse.move(start.x + 20, start.y + 20, { steps: 4 });
  await page.locator('.drag-ghost span').waitFor();
  const end = await pointOf(to);
  await page.mouse.move(end.x, end.y, { steps: 8 });
  await page.locator('[data-over]').waitFor();
  if (givenUp) await page.keyboard.press('Escape');
  if (givenUp) await page.locator('.drag-ghost span').waitFor({ state: 'detached' });
  await page.mouse.up();
}

/** Presses a finger on an element, for long enough to pick it up by default, and moves it onto another. */
export async function dragByFinger(
  page: Page,
  from: Locator,
  to: Locator,
  { rest = true } = {},
): Promise<void> {
  const session = await page.context().newCDPSession(page);
  // Both come on screen only if they are near each other.
  for (const place of [from, to]) await place.scrollIntoViewIfNeeded();
  const [start, end] = [await pointOf(from), await pointOf(to)];
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: { x: number; y: number }[]) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints: points });
  const steps = from === to ? 0 : 8;
  const move = (step: number) => {
    const part = (one: number, other: number) => one + ((other - one) * step) / steps;
    return touch('touchMove', [{ x: part(start.x, end.x), y: part(start.y, end.y) }]);
  };
  const began = touch('touchStart', [start]);
  if (rest) await page.locator('.drag-ghost span').waitFor();
  // Sends them at once: a finger whose first move comes late has rested.
  await Promise.all([began, ...Array.from({ length: steps }, (_, step) => move(step + 1))]);
  if (rest && steps > 0) await page.locator('[data-over]').waitFor();
  await touch('touchEnd', []);
  await session.detach();
}
