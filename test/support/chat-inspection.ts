import { readFileSync } from 'node:fs';
import { type ChatPage, published } from './chat-page.js';
import { samplePhotograph } from './sample-photographs.js';
import type { ServiceClient } from './service-client.js';

/** start → capture → a reply that lists the recorded photographs; a photograph may have at most 2 MB. */
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

/** Returns readable pictures of these names, each with different bytes. */
export function pictures(...names: string[]) {
  const jpeg = readFileSync(samplePhotograph('keys'));
  return names.map((name) => ({
    name,
    mimeType: 'image/jpeg',
    buffer: Buffer.concat([jpeg, Buffer.from(name)]),
  }));
}

/** Returns the names of the recorded photographs of this page's chat, sorted. */
export async function recordedNames(chat: ChatPage, client: ServiceClient): Promise<string[]> {
  const chatId = await chat.page.evaluate<string>(
    `JSON.parse(localStorage.getItem('chat:' + location.pathname.split('/')[2] + ':chatId'))`,
  );
  const { body } = await client.admin('GET', `inspection/sessions/${chatId}`);
  return (body.photographs as { name: string }[]).map(({ name }) => name).sort();
}

/** Returns the names of the photographs in the message that the page shows as stored on the device. */
export const storedNames = (chat: ChatPage): Promise<string[]> =>
  chat.page.evaluate<string[]>(
    `[...document.querySelectorAll('.tray li')].filter((tile) => tile.querySelector('.saved')).map(({ title }) => title)`,
  );
