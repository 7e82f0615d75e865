import { z } from 'zod';
import { callOnce, oneTool, ToolFailed, toolSettings, type ToolType } from './tool.js';

const settings = z
  .object({ tool: z.literal('date-time'), ...toolSettings })
  .describe('Returns the current day and time in any time zone.');

const PARAMETERS = {
  type: 'object',
  properties: {
    timeZone: { type: 'string', description: 'IANA name, such as Europe/London; UTC when left out.' },
  },
};

/** Returns the current day and time in words, so that a model does not need to calculate. */
export const dateTimeTool: ToolType<z.infer<typeof settings>> = {
  tool: 'date-time',
  settings,
  open: async ({ name = 'date-time', description = 'The current day and time.' }, user) =>
    oneTool(
      {
        name,
        description,
        parameters: PARAMETERS,
        call: ({ timeZone }, place) =>
          callOnce('date-time', place, true, async () => {
            const now = new Date(await user.filled('{{current_date_time}}'));
            const zone = typeof timeZone === 'string' && timeZone !== '' ? timeZone : 'UTC';
            const local = inZone(now, zone);
            return {
              text: `${local} (${zone}), ${now.toISOString()}`,
              output: { iso: now.toISOString(), timeZone: zone, local },
            };
          }),
      },
      user,
    ),
};

function inZone(instant: Date, timeZone: string): string {
  try {
    return instant.toLocaleString('en-GB', { timeZone, dateStyle: 'full', timeStyle: 'long' });
  } catch {
    throw new ToolFailed(
      `"${timeZone.slice(0, 100)}" is not a time zone. Send an IANA name, such as Europe/London.`,
    );
  }
}
