import { randomUUID } from 'node:crypto';
import { logoPicture, RenderFixture } from './fixtures/renders.js';

describe('a render', () => {
  const room = new RenderFixture();
  const { client, photographs, render, session } = room;

  beforeAll(() => room.start());
  afterAll(() => room.close());

  describe('with a logo', () => {
    it('accepts the id of an uploaded asset, stored once for equal pictures', async () => {
      const data = `data:image/png;base64,${(await logoPicture()).toString('base64')}`;
      const first = await client.admin('POST', 'assets', { data });
      const form = new FormData();
      form.append('file', new Blob([new Uint8Array(await logoPicture())], { type: 'image/png' }), 'logo.png');
      const second = await client.admin('POST', 'assets', form);
      expect(first.body).toMatchObject({ id: expect.any(String), width: 600, height: 200 });
      expect(second.body.id).toBe(first.body.id);
      const sessionId = session();
      await photographs(sessionId);
      expect((await render({ sessionId, meta: { logo: first.body.id } })).body.warnings).toEqual([]);
    });

    it.each([
      ['an address', 'https://evil.example/logo.png'],
      ['a path', '/etc/passwd'],
      ['an unknown id', randomUUID()],
      ['SVG', `data:image/svg+xml;base64,${Buffer.from('<svg onload="x()"/>').toString('base64')}`],
      ['no picture', `data:image/png;base64,${Buffer.from('nothing').toString('base64')}`],
      ['30 MB', `data:image/png;base64,${'A'.repeat(40 * 1024 * 1024)}`],
    ])('is drawn without it, with a warning, if it is %s', async (_name, logo) => {
      const sessionId = session();
      await photographs(sessionId);
      const { body, status } = await render({ sessionId, meta: { logo } });
      expect(status).toBe(200);
      expect(body.warnings).toEqual([expect.objectContaining({ path: 'meta.logo' })]);
    });

    it('refuses assets without the admin key, and files that are no picture', async () => {
      expect((await client.send('POST', '/api/v1/assets', { data: 'x' })).body.code).toBe(
        'invalid_admin_key',
      );
      const text = `data:image/png;base64,${Buffer.from('nothing').toString('base64')}`;
      for (const data of [text, 'x', 7]) {
        expect((await client.admin('POST', 'assets', { data })).body.code).toBe('invalid_request');
      }
    });
  });
});
