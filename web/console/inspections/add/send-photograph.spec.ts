import { outcomeOf } from './send-photograph.js';

describe('the answer to one photograph', () => {
  it('is recorded, with what the service noticed', () => {
    const body = {
      recorded: [{ area: 'Hall', sameContentAs: 'x' }],
      rejected: [],
      warnings: [{ code: 'blurred', message: 'The photograph is blurred.' }, 7],
    };
    expect(outcomeOf(200, body, NaN)).toEqual({
      at: 'recorded',
      area: 'Hall',
      notes: ['This picture is already in the inspection.', 'The photograph is blurred.'],
    });
  });

  it('that an earlier attempt recorded counts as recorded', () => {
    expect(outcomeOf(200, { recorded: [], duplicates: [{}] }, NaN)).toMatchObject({ at: 'recorded' });
  });

  it('names the reason a picture cannot be used, for any status', () => {
    const rejected = [{ index: 0, code: 'undecodable', message: 'It is no picture.' }];
    const refusal = { at: 'failed', sentence: 'It is no picture.', again: false };
    expect(outcomeOf(422, { message: 'None', rejected }, NaN)).toMatchObject(refusal);
    expect(outcomeOf(200, { recorded: [], rejected }, NaN)).toMatchObject(refusal);
  });

  it.each([
    [401, { again: true, asksKey: true }],
    [408, { again: true, asksKey: false }],
    [403, { again: false, asksKey: false }],
    [413, { again: false, asksKey: false }],
    [503, { again: true, asksKey: false }],
  ])('with status %i', (status, outcome) =>
    expect(outcomeOf(status, { message: 'No.' }, NaN)).toMatchObject({ sentence: 'No.', ...outcome }),
  );

  it('waits for a rate limit or a busy service, but not for a blocked address', () => {
    expect(outcomeOf(503, { code: 'overloaded' }, 1)).toMatchObject({ waitMs: 1_000 });
    expect(outcomeOf(503, { code: 'overloaded' }, NaN)).not.toHaveProperty('waitMs');
    expect(outcomeOf(429, { code: 'rate_limited' }, 3)).toMatchObject({ waitMs: 3_000 });
    expect(outcomeOf(429, { code: 'rate_limited' }, 3_600)).not.toHaveProperty('waitMs');
    expect(outcomeOf(429, { code: 'address_blocked' }, 3)).not.toHaveProperty('waitMs');
    expect(outcomeOf(502, undefined, NaN)).toMatchObject({ again: true });
  });
});
