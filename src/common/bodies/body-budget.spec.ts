import type { Request } from 'express';
import { EventEmitter } from 'node:events';
import {
  ADDRESS_BUDGET_BYTES,
  BODY_BUDGET_BYTES,
  FREE_BYTES,
  holdBody,
  retainBody,
  reserveToRead,
  STORED_BUDGET_BYTES,
} from './body-budget.js';

const MEGABYTE = 1024 * 1024;
let calls = 0;
const call = (ip = `192.0.2.${++calls}`) =>
  ({ ip, res: new EventEmitter() }) as unknown as Request & { res: EventEmitter };

describe('the budget for bodies', () => {
  const open: ReturnType<typeof call>[] = [];
  const opened = (ip?: string) => {
    const made = call(ip);
    open.push(made);
    return made;
  };

  afterEach(() => open.splice(0).forEach((made) => made.res.emit('close')));

  it('refuses an address that has used up its share, and leaves the rest to others', () => {
    const [first, second, other] = [opened('10.0.0.1'), opened('10.0.0.1'), opened('10.0.0.2')];
    holdBody(first, ADDRESS_BUDGET_BYTES);
    holdBody(second, FREE_BYTES);
    expect(() => holdBody(second, MEGABYTE)).toThrow(
      expect.objectContaining({ status: 429, code: 'quota_exceeded', headers: { 'Retry-After': '1' } }),
    );
    holdBody(other, BODY_BUDGET_BYTES - ADDRESS_BUDGET_BYTES);
    first.res.emit('close');
    holdBody(second, MEGABYTE);
  });

  it('refuses a large body while others hold all of it, and takes it once they are answered', () => {
    const [first, second] = [opened(), opened()];
    for (let held = 0; held < BODY_BUDGET_BYTES; held += MEGABYTE) holdBody(first, MEGABYTE);
    expect(() => holdBody(second, MEGABYTE)).toThrow(
      expect.objectContaining({ status: 503, code: 'overloaded' }),
    );
    first.res.emit('close');
    holdBody(second, MEGABYTE);
  });

  it('takes small bodies whatever others hold', () => {
    const large = opened();
    holdBody(large, BODY_BUDGET_BYTES + FREE_BYTES);
    for (let index = 0; index < 100; index++) holdBody(opened(), FREE_BYTES);
  });

  it('lets a body that is alone be larger than the budget', () => {
    const alone = opened();
    for (let held = 0; held < 2 * BODY_BUDGET_BYTES; held += 16 * MEGABYTE) holdBody(alone, 16 * MEGABYTE);
    const other = opened();
    holdBody(other, FREE_BYTES);
    expect(() => holdBody(other, 1)).toThrow(expect.objectContaining({ code: 'overloaded' }));
  });

  it('stays taken after the answer, until what goes on with the body lets go as well', () => {
    const [first, second] = [opened(), opened()];
    const letGo = retainBody(first);
    holdBody(first, BODY_BUDGET_BYTES + FREE_BYTES);
    first.res.emit('close');
    expect(() => holdBody(second, MEGABYTE)).toThrow(expect.objectContaining({ code: 'overloaded' }));
    letGo();
    letGo();
    holdBody(second, MEGABYTE);
    expect(() => holdBody(opened(), BODY_BUDGET_BYTES)).toThrow();
  });

  it('is not taken for a caller who has gone: nobody would give it back', () => {
    const gone = {
      ip: '192.0.2.1',
      res: Object.assign(new EventEmitter(), { closed: true }),
    } as unknown as Request;
    expect(() => holdBody(gone, MEGABYTE)).toThrow(expect.objectContaining({ code: 'invalid_request' }));
    holdBody(opened(), BODY_BUDGET_BYTES + FREE_BYTES);
  });

  describe('that are read back from the store', () => {
    const { signal } = new AbortController();
    const settled = () => new Promise((resolve) => setImmediate(resolve));
    const asked = (bytes: number, until = signal) => {
      const reading = { letGo: undefined as (() => void) | undefined, refused: undefined as unknown };
      reserveToRead(bytes, until).then(
        (letGo) => (reading.letGo = letGo),
        (error: unknown) => (reading.refused = error),
      );
      return reading;
    };

    it('is given in the order of asking, and leaves half to calls as they arrive', async () => {
      const first = asked(STORED_BUDGET_BYTES);
      const [second, third] = [asked(8 * MEGABYTE), asked(MEGABYTE)];
      await settled();
      expect([first.letGo, second.letGo, third.letGo]).toEqual([expect.any(Function), undefined, undefined]);
      const arriving = opened();
      holdBody(arriving, BODY_BUDGET_BYTES - STORED_BUDGET_BYTES);
      expect(() => holdBody(opened(), MEGABYTE)).toThrow(expect.objectContaining({ code: 'overloaded' }));
      first.letGo!();
      first.letGo!();
      await settled();
      expect([second.letGo, third.letGo]).toEqual([expect.any(Function), expect.any(Function)]);
      for (const { letGo } of [second, third]) letGo!();
    });

    it('lets one that is larger than all of it have it alone', async () => {
      const small = asked(MEGABYTE);
      const large = asked(2 * BODY_BUDGET_BYTES);
      await settled();
      expect(large.letGo).toBeUndefined();
      small.letGo!();
      await settled();
      large.letGo!();
    });

    it('is not taken by one that was stopped while it waited, who holds up nobody', async () => {
      const stop = new AbortController();
      const first = asked(STORED_BUDGET_BYTES - MEGABYTE);
      const [stopped, last] = [asked(STORED_BUDGET_BYTES, stop.signal), asked(MEGABYTE)];
      await settled();
      expect(last.letGo).toBeUndefined();
      stop.abort('stopped');
      await settled();
      expect([stopped.refused, last.letGo]).toEqual(['stopped', expect.any(Function)]);
      first.letGo!();
      last.letGo!();
    });
  });
});
