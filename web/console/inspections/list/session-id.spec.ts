import { proposedSessionId, sessionIdFault } from './session-id.js';

describe('the id of a new inspection', () => {
  it('is proposed with the day, and can be used', () => {
    const id = proposedSessionId(new Date(2026, 0, 5), () => 0.999);
    expect(id).toBe('inspection-2026-01-05-zzzz');
    expect(sessionIdFault(id)).toBe('');
  });

  it.each(['', '.', '..', 'a\u0000b', 'a\u0085b', '\ufffd', 'x'.repeat(257)])(
    'that the service or an address cannot hold is faulty: %j',
    (id) => expect(sessionIdFault(id)).not.toBe(''),
  );

  it.each(['447700900123', 'a/b?c#d', '14 Acacia Avenue', '<b>', 'x'.repeat(256)])('may be %s', (id) =>
    expect(sessionIdFault(id)).toBe(''),
  );
});
