import { StoppedClock } from '../../../test/support/stopped-clock.js';
import { linkSecret } from '../../common/secrets/secret-kind.js';
import type { Secrets } from '../../common/secrets/secrets.js';
import { ReplicaSignatures } from './replica-signatures.js';

const CALL = { method: 'GET', path: '/internal/streams/a?seen=5', body: '' };

/** Contract section 13: signed over method, path, body, time ± 60 s and a nonce that is used once. */
describe('the signature of a call between processes', () => {
  const secrets = { linkSecret: linkSecret.fresh() } as Secrets;
  const clock = new StoppedClock();
  const here = new ReplicaSignatures(secrets, clock);
  const there = new ReplicaSignatures(secrets, clock);

  it('is taken once, of what it was made for', () => {
    const signature = there.sign(CALL);
    for (const other of [{ method: 'POST' }, { path: `${CALL.path}0` }, { body: '{}' }])
      expect(here.accepts({ ...CALL, ...other }, signature)).toBe(false);
    expect(here.accepts(CALL, signature)).toBe(true);
    expect(here.accepts(CALL, signature)).toBe(false);
    expect(here.accepts(CALL, there.sign(CALL))).toBe(true);
  });

  it.each([
    [-60_000, true],
    [-60_001, false],
    [60_000, true],
    [60_001, false],
  ])('that was made %d ms from now: %s', (apart, isTaken) => {
    clock.advance(apart);
    const signature = there.sign(CALL);
    clock.advance(-apart);
    expect(here.accepts(CALL, signature)).toBe(isTaken);
  });

  it('is taken once, however long its time lasts', () => {
    clock.advance(60_000);
    const signature = there.sign(CALL);
    clock.advance(-60_000);
    expect(here.accepts(CALL, signature)).toBe(true);
    for (let second = 0; second < 120; second++) {
      clock.advance(1_000);
      here.accepts(CALL, there.sign(CALL));
      expect(here.accepts(CALL, signature)).toBe(false);
    }
  });

  it('cannot be given another time or nonce, nor be made with another secret', () => {
    const signature = there.sign(CALL);
    const time = Number(/t=(\d+)/.exec(signature)![1]);
    const others = new ReplicaSignatures({ linkSecret: linkSecret.fresh() } as Secrets, clock);
    const wrong = [
      signature.replace(`t=${time}`, `t=${time + 1}`),
      signature.replace(/n=./, (start) => (start === 'n=A' ? 'n=B' : 'n=A')),
      signature.replace(/s=./, (start) => (start === 's=A' ? 's=B' : 's=A')),
      `${signature} `,
      others.sign(CALL),
      '',
      undefined,
      [signature],
    ];
    for (const each of wrong) expect(here.accepts(CALL, each)).toBe(false);
  });
});
