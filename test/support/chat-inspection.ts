import { readFileSync } from 'node:fs';
import type { ChatPage } from './chat-page.js';
import { published } from './chat-page.js';
import { samplePhotograph } from './sample-photographs.js';
import type { ServiceClient } from './service-client.js';

/** start → capture → reply with what was recorded; photographs may have at most 2 MB. */
export const inspection = (more: object = {}) => ({
  name: 'Inspection',
  ...published,
  chat: {
    uploads: {
      isImageUploadAllowed: true,
      imgUploadSizeAndTypes: [{ fileTypes: ['image/jpeg'], maxUploadSize: 2 }],
    },
  },
  nodes: [
    { id: 'start', kind: 'start' },
    { id: 'capture', kind: 'capture', config: { area: 'Kitchen' } },
    {
      id: 'reply',
      kind: 'reply',
      config: {
        message:
          '{{capture.output.recorded.length}} recorded, {{capture.output.rejected.length}} rejected, {{capture.output.session.pending}} pending: {{question}}',
      },
    },
  ],
  edges: [
    { from: 'start', to: 'capture' },
    { from: 'capture', to: 'reply' },
  ],
  ...more,
});

export const ATTACHMENTS = '**/api/v1/attachments/**';

/** Readable pictures of these names, each with bytes of its own. */
export function pictures(...names: string[]) {
  const jpeg = readFileSync(samplePhotograph('keys'));
  return names.map((name) => ({
    name,
    mimeType: 'image/jpeg',
    buffer: Buffer.concat([jpeg, Buffer.from(name)]),
  }));
}

/** The names of the photographs that the service has recorded for the chat of this page, sorted. */
export async function recordedNames(chat: ChatPage, client: ServiceClient): Promise<string[]> {
  const chatId = await chat.page.evaluate<string>(
    `JSON.parse(localStorage.getItem('chat:' + location.pathname.split('/')[2] + ':chatId'))`,
  );
  const { body } = await client.admin('GET', `inspection/sessions/${chatId}`);
  return (body.photographs as { name: string }[]).map(({ name }) => name).sort();
}

/** The names of the photographs beside the message that the page shows as kept on the device. */
export const keptNames = (chat: ChatPage): Promise<string[]> =>
  chat.page.evaluate<string[]>(
    `[...document.querySelectorAll('.tray li')].filter((tile) => tile.querySelector('.saved')).map(({ title }) => title)`,
  );
