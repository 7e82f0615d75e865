import { contentDisposition } from './pdf-response.js';

describe('the file name in Content-Disposition', () => {
  it('stands there twice, plain and exact (RFC 6266)', () => {
    expect(contentDisposition('20261121 12A SW1A 1AA.pdf')).toBe(
      `attachment; filename="20261121 12A SW1A 1AA.pdf"; filename*=UTF-8''20261121%2012A%20SW1A%201AA.pdf`,
    );
  });

  it('keeps every script in the exact name', () => {
    const header = contentDisposition('20261121 Łódź 北京 😀.pdf');
    const exact = header.split("filename*=UTF-8''")[1]!;
    expect(decodeURIComponent(exact)).toBe('20261121 Łódź 北京 😀.pdf');
    expect(header).toMatch(/^[\x20-\x7e]+$/);
  });

  it('cannot be broken out of', () => {
    const header = contentDisposition('a"; filename="evil.exe\r\nX-Evil: 1\\.pdf');
    expect(header).not.toMatch(/[\r\n]/);
    expect(header.match(/"/g)).toHaveLength(2);
  });
});
