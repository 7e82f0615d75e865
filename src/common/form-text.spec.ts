import type { Request } from 'express';
import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { BODY_ROOM_BYTES, FREE_BYTES, holdBody } from './body-room.js';
import { FormText } from './form-text.js';

const MEGABYTE = 1024 * 1024;
const CHUNK = 64 * 1024;

describe('the text of a form', () => {
  let call: Request & { res: EventEmitter };
  let other: Request & { res: EventEmitter };
  let form: FormText;

  const opened = () => ({ res: new EventEmitter() }) as unknown as Request & { res: EventEmitter };
  const overloaded = expect.objectContaining({ code: 'overloaded' });

  beforeEach(() => {
    [call, other] = [opened(), opened()];
    form = new FormText(call);
  });

  afterEach(() => [call, other].forEach(({ res }) => res.emit('close')));

  /** Another call leaves a megabyte of the room, and what of each body is free. */
  const leaveOne = () => holdBody(other, BODY_ROOM_BYTES + FREE_BYTES - MEGABYTE);
  const pass = (bytes: number) => {
    for (let left = bytes; left > 0; left -= CHUNK) form.pass(Math.min(left, CHUNK));
  };
  const closed = async (file: PassThrough) => {
    file.destroy();
    await new Promise((resolve) => file.once('close', resolve));
  };

  it('is counted while it comes, also where its field never ends', () => {
    leaveOne();
    pass(MEGABYTE);
    expect(() => pass(MEGABYTE)).toThrow(overloaded);
  });

  it('is counted once, though its field is read after it has passed', () => {
    leaveOne();
    pass(MEGABYTE);
    form.field('x'.repeat(MEGABYTE));
    expect(form.total).toBe(MEGABYTE);
    expect(() => form.field('x'.repeat(CHUNK + 1))).toThrow(overloaded);
  });

  it('is counted in bytes, of all fields together', () => {
    form.field('é');
    form.field('€');
    expect(form.total).toBe(5);
  });

  it('is not what belongs to files, nor what stands between them', async () => {
    leaveOne();
    for (let count = 0; count < 20; count++) {
      const file = new PassThrough();
      form.file(file);
      pass(10 * MEGABYTE);
      await closed(file);
      pass(2 * CHUNK);
    }
    expect(form.total).toBe(0);
    pass(MEGABYTE);
    expect(() => pass(MEGABYTE)).toThrow(overloaded);
  });
});
