import type { Response } from 'express';
import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { eventually } from '../../../test/support/eventually.js';
import { EVENTS, LINES, type StreamKind, StreamWriter } from './stream-writer.js';

const MEGABYTE = 'x'.repeat(1024 * 1024);

/** Real sockets: what a reader does not take stands in the kernel first, then in Node. Only the clock is turned by hand. */
describe('the stream to one reader', () => {
  let server: Server;
  let kind: StreamKind;
  let opened: { writer: StreamWriter | undefined; response: Response }[];

  beforeEach(async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'Date', 'performance'] });
    kind = EVENTS;
    opened = [];
    server = createServer((_request, answer) => {
      const response = answer as Response;
      opened.push({ writer: StreamWriter.begin(response, kind), response });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });

  afterEach(() => {
    jest.useRealTimers();
    server.close();
    server.closeAllConnections();
  });

  const port = () => (server.address() as AddressInfo).port;
  const turns = async (count = 50) => {
    for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
  };
  const until = async (holds: () => boolean) => {
    for (let turn = 0; turn < 20_000 && !holds(); turn++) await turns(1);
    expect(holds()).toBe(true);
  };

  /** Opens a paused response, which is read only after `read` is called. */
  async function open() {
    const call = get({ port: port(), host: '127.0.0.1', agent: false });
    const answer = await new Promise<IncomingMessage>((resolve, reject) =>
      call.once('response', (message) => resolve(message.pause())).once('error', reject),
    );
    answer.on('error', () => undefined);
    let text = '';
    const read = () => answer.on('data', (chunk: Buffer) => (text += chunk.toString('latin1'))).resume();
    const { writer, response } = opened.at(-1)!;
    return { call, answer, read, text: () => text, writer: writer!, response };
  }

  /** Writes until the reader is behind: its socket and ours are full. */
  async function fill(writer: StreamWriter): Promise<number> {
    let written = 0;
    for (; !writer.isBehind; written++) {
      writer.write(MEGABYTE);
      await turns(5);
    }
    return written;
  }

  it('says what it is before there is anything to say', async () => {
    const { answer } = await open();
    expect(answer.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache',
      'x-accel-buffering': 'no',
    });
  });

  it('beats every 15 seconds, where the format has something for it', async () => {
    const events = await open();
    events.read();
    kind = LINES;
    const lines = await open();
    lines.read();
    jest.advanceTimersByTime(45_000);
    await until(() => events.text() === ':heartbeat\n\n'.repeat(3));
    await turns();
    expect(lines.text()).toBe('');
    expect(lines.response.destroyed).toBe(false);
  });

  it('hands nothing on to a reader that is behind, and sends it everything once it reads', async () => {
    const { writer, response, read, text } = await open();
    const written = await fill(writer);
    const held = response.writableLength;
    const ready = jest.fn();
    writer.on('ready', ready);
    for (let line = 0; line < 1_000; line++) writer.write(`line ${line}\n`);
    jest.advanceTimersByTime(15_000);
    expect(response.writableLength).toBe(held);
    expect(ready).not.toHaveBeenCalled();
    read();
    const expected =
      MEGABYTE.repeat(written) + Array.from({ length: 1_000 }, (_, n) => `line ${n}\n`).join('');
    await until(() => text().length === expected.length);
    expect(text() === expected).toBe(true);
    expect(ready).toHaveBeenCalled();
    expect(writer.isBehind).toBe(false);
  });

  it('cuts a reader off for which more than a megabyte waits', async () => {
    const { writer, response } = await open();
    await fill(writer);
    const held = response.writableLength;
    for (let piece = 0; piece < 17 * 64; piece++) writer.write('x'.repeat(1_024));
    expect(response.destroyed).toBe(true);
    expect(response.writableLength).toBeLessThanOrEqual(held);
  });

  it('calls a reader stalled that takes nothing for two seconds, until it reads on', async () => {
    const { writer, read } = await open();
    const stalled = jest.fn();
    writer.on('stalled', stalled);
    await fill(writer);
    jest.advanceTimersByTime(1_999);
    expect([writer.isStalled, stalled.mock.calls.length]).toEqual([false, 0]);
    jest.advanceTimersByTime(1);
    expect([writer.isStalled, stalled.mock.calls.length]).toEqual([true, 1]);
    read();
    await until(() => !writer.isStalled);
  });

  it('cuts a silent reader off after a minute, and not before', async () => {
    const { writer, response, answer } = await open();
    const closed = jest.fn();
    writer.on('closed', closed);
    await fill(writer);
    jest.advanceTimersByTime(59_999);
    expect(response.destroyed).toBe(false);
    jest.advanceTimersByTime(1);
    expect(response.destroyed).toBe(true);
    answer.resume();
    await until(() => answer.destroyed);
    expect(answer.complete).toBe(false);
    expect(closed).toHaveBeenCalledTimes(1);
  });

  it('gives a reader that reads on a new minute each time', async () => {
    const { writer, response, answer } = await open();
    await fill(writer);
    for (let minute = 0; minute < 3; minute++) {
      jest.advanceTimersByTime(50_000);
      answer.resume();
      await until(() => !writer.isBehind);
      answer.pause();
      await fill(writer);
    }
    expect(response.destroyed).toBe(false);
  });

  it('cuts a silent reader off also when everything was said', async () => {
    const { writer, response } = await open();
    await fill(writer);
    writer.write('the last word');
    writer.end();
    jest.advanceTimersByTime(59_999);
    expect(response.destroyed).toBe(false);
    jest.advanceTimersByTime(1);
    expect(response.destroyed).toBe(true);
  });

  it('ends behind what waits, and writes nothing more', async () => {
    const { writer, answer, read, text } = await open();
    await fill(writer);
    writer.write('the last word');
    writer.end();
    writer.write('too late');
    read();
    await until(() => answer.complete);
    expect(text().endsWith('xthe last word')).toBe(true);
    await until(() => jest.getTimerCount() === 0);
  });

  it('lets nothing wait for a reader that has left', async () => {
    const { writer, call, response } = await open();
    const closed = jest.fn();
    writer.on('closed', closed);
    const written = fill(writer).then(() => writer.taken());
    await until(() => writer.isBehind);
    call.destroy();
    await written;
    await until(() => closed.mock.calls.length === 1);
    writer.write('to nobody');
    expect([writer.isOver, response.destroyed]).toEqual([true, true]);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('is not begun for a reader that left before, nor for one that wants the headers alone', async () => {
    const { call, response } = await open();
    call.destroy();
    await until(() => response.closed);
    expect(StreamWriter.begin(response, EVENTS)).toBeUndefined();
    const headers = await new Promise<IncomingMessage>((resolve, reject) =>
      get({ port: port(), host: '127.0.0.1', method: 'HEAD' }, resolve).on('error', reject),
    );
    expect(headers.headers['content-type']).toBe('text/event-stream');
    expect(opened.at(-1)!.writer).toBeUndefined();
  });

  it('waits for its turn on the connection once it has ended, and says nothing more meanwhile', async () => {
    const socket = connect(port(), '127.0.0.1');
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
    socket.write('GET /1 HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\n\r\n');
    await until(() => opened.length === 2);
    const [first, second] = opened.map(({ writer }) => writer!);
    second!.write('the second');
    second!.end();
    jest.advanceTimersByTime(120_000);
    await turns();
    expect(text).not.toContain('the second');
    first!.end();
    await until(() => text.includes('the second'));
    expect(text.split('the second')[1]).not.toContain(':heartbeat');
    socket.destroy();
    await eventually(() => opened.every(({ response }) => response.closed));
  });
});
