import type { Locator, Page } from 'playwright-core';
import type { ConsoleFixture } from './console.js';
import { smallJpeg } from './recorded-photographs.js';

/** The sample flow, which the inspections of these tests belong to. */
export const FLOW = 'inspection-assistant';

/** The address of an inspection in the console. */
export const inspectionPath = (id: string, tab = 'photographs'): string =>
  `/console/inspections/${encodeURIComponent(id)}?flowId=${FLOW}&tab=${tab}`;

/** A photograph as a capture in JSON holds it, unlike every other. */
export const picture = async (more: object = {}): Promise<object> => ({
  data: `data:image/jpeg;base64,${(await smallJpeg()).toString('base64')}`,
  ...more,
});

/** The steps of tests of inspections in the console, besides looking. */
export interface InspectionsPage {
  /** Records by the API. */
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

/** The area of each photograph of a session, in order of arrival. */
export const areasOf = ({ photographs }: { photographs: { area: string }[] }): string[] =>
  photographs.map(({ area }) => area);

/** A point in the upper part of something on the screen. */
const pointOf = async (place: Locator): Promise<{ x: number; y: number }> => {
  const box = (await place.boundingBox())!;
  return { x: box.x + box.width / 2, y: box.y + Math.min(box.height / 2, 24) };
};

/** Drags by mouse, and drops unless it is `givenUp`. The target may appear with the drag. */
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

/** Rests a finger on something, unless told otherwise, and moves it onto something else. */
export async function dragByFinger(
  page: Page,
  from: Locator,
  to: Locator,
  { rest = true } = {},
): Promise<void> {
  const session = await page.context().newCDPSession(page);
  // Both on the screen, where they are near each other.
  for (const place of [from, to]) await place.scrollIntoViewIfNeeded();
  const [start, end] = [await pointOf(from), await pointOf(to)];
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: { x: number; y: number }[]) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints: points });
  await touch('touchStart', [start]);
  if (rest) await page.locator('.drag-ghost span').waitFor();
  const steps = from === to ? 0 : 8;
  for (let step = 1; step <= steps; step++) {
    const part = (one: number, other: number) => one + ((other - one) * step) / steps;
    await touch('touchMove', [{ x: part(start.x, end.x), y: part(start.y, end.y) }]);
  }
  if (rest && steps > 0) await page.locator('[data-over]').waitFor();
  await touch('touchEnd', []);
  await session.detach();
}
