import type { Json } from '../../engine/json.js';
import { readMemo } from './agent-memo.js';

it('reads what a version before kept with its pictures', () => {
  const attachments = [
    { type: 'image', mime: 'image/png', base64: Buffer.from('picture').toString('base64') },
    { type: 'image', mime: 'image/png', url: 'https://example.com/b.png' },
  ];
  const messages = [{ role: 'user', content: 'Look', attachments }];
  const memo = { messages, round: 1, used: [], calls: [] } as unknown as Json;
  expect(readMemo(memo, [])).toEqual({
    messages: [
      {
        role: 'user',
        content: 'Look',
        attachments: [
          { type: 'image', mime: 'image/png', content: Buffer.from('picture') },
          { type: 'image', mime: 'image/png', content: new URL('https://example.com/b.png') },
        ],
      },
    ],
    ...{ round: 1, used: [], calls: [] },
  });
});
