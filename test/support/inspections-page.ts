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

/** What tests of inspections in the console do besides looking. */
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
