import { Logger } from './logger.js';

describe('the log', () => {
  /** Each line that is written while `act` logs. */
  function linesOf(readable: boolean, act: (logger: Logger) => void): string[] {
    const lines: string[] = [];
    act(new Logger('info', readable, { write: (line: string) => void lines.push(line) }));
    return lines;
  }

  it('is one JSON line an event where it goes to no terminal', () => {
    const [line] = linesOf(false, (logger) => logger.warn({ port: 3000 }, 'a warning'));
    expect(JSON.parse(line!)).toEqual({
      level: 'warn',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      port: 3000,
      msg: 'a warning',
    });
  });

  it('is time, level, message and fields on a terminal', () => {
    const lines = linesOf(true, (logger) => {
      logger.info({ port: 3000, dataDir: '/a folder', none: undefined }, 'ready');
      logger.warn({}, 'no fields');
      logger.warn({ waited: { ms: 5 }, names: ['a', 'b'] }, 'objects');
    });
    expect(lines.map((line) => line.replace(/^\d\d:\d\d:\d\d/, 'TIME'))).toEqual([
      'TIME info  ready  port=3000 dataDir="/a folder"\n',
      'TIME warn  no fields\n',
      'TIME warn  objects  waited={"ms":5} names=["a","b"]\n',
    ]);
  });

  it('masks secrets and shortens long values on a terminal too', () => {
    const [line] = linesOf(true, (logger) => logger.info({ apiKey: 'fk_1', text: 'x'.repeat(500) }, 'call'));
    expect(line).toContain('apiKey=[masked]');
    expect(line).not.toContain('fk_1');
    expect(line!.length).toBeLessThan(200);
  });

  it('shows an error by its message; its stack only where it is logged as an error', () => {
    const [warned, failed] = linesOf(true, (logger) => {
      logger.warn({ err: new Error('away') }, 'tried again');
      logger.error(new Error('broken'));
    });
    expect(warned).toMatch(/ warn {2}tried again {2}err=away\n$/);
    expect(failed).toMatch(/ error broken\n {4}at /);
  });

  it('sends no control characters to a terminal', () => {
    const [line] = linesOf(true, (logger) => logger.info({ path: '/\u001b[2J\u009b1m' }, 'bell \u0007'));
    // oxlint-disable-next-line no-control-regex
    expect(line!.trimEnd()).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
  });

  it('stands on a terminal in the order in which it was written, before what the process prints next', () => {
    const written: string[] = [];
    const write = jest.spyOn(process.stdout, 'write').mockImplementation((text) => {
      written.push(String(text));
      return true;
    });
    new Logger('info', true).info({}, 'ready');
    process.stdout.write('next\n');
    write.mockRestore();
    expect(written).toEqual([expect.stringContaining('ready'), 'next\n']);
  });
});
