import { greeting } from './greeting.js';

const config = { host: '127.0.0.1', publicUrl: undefined, samples: true };

describe('the greeting at a terminal', () => {
  it('names the pages, the file of the admin key and how to stop', () => {
    expect(greeting(config, '/srv/data/admin-key', 3000)).toBe(`
  Ready at http://127.0.0.1:3000

    Chat page           http://127.0.0.1:3000/chat/inspection-assistant
    Console             http://127.0.0.1:3000/console
    API documentation   http://127.0.0.1:3000/docs
    Admin key           in /srv/data/admin-key

  To stop: Ctrl+C

`);
  });

  it('names the variable of the admin key, never the key', () => {
    expect(greeting(config, undefined, 3000)).toContain('the value of ADMIN_API_KEY');
  });

  it('names no chat page where the samples are off', () => {
    expect(greeting({ ...config, samples: false }, undefined, 3000)).not.toContain('/chat/');
  });

  it.each([
    ['0.0.0.0', 'http://127.0.0.1:80/console'],
    ['::', 'http://127.0.0.1:80/console'],
    ['::1', 'http://[::1]:80/console'],
    ['localhost', 'http://localhost:80/console'],
  ])('names an address that a browser opens for HOST=%s', (host, address) => {
    expect(greeting({ ...config, host }, undefined, 80)).toContain(` ${address}\n`);
  });

  it('uses PUBLIC_URL where it is set', () => {
    const shown = greeting({ ...config, publicUrl: 'https://reports.example.com' }, undefined, 80);
    expect(shown).toContain('https://reports.example.com/docs');
  });
});
