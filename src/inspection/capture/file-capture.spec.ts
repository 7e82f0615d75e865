import { fileCapture, type FiledCall, type SessionPlace } from './file-capture.js';

const nowhere: SessionPlace = { current: null, last: null, lastClosedAt: null };
const at = 1_000_000;
const call = (parts: Partial<FiledCall> = {}): FiledCall => ({ hasRemark: false, remarkAt: at, ...parts });
const inKitchen: SessionPlace = { ...nowhere, current: { name: 'Kitchen', type: null } };
const closedKitchen: SessionPlace = {
  current: null,
  last: { name: 'Kitchen', type: null },
  lastClosedAt: at,
};

describe('the area that a capture belongs to', () => {
  it('is the area of the call, which becomes the current one', () => {
    const filing = fileCapture(inKitchen, call({ area: 'Bedroom 1' }));
    expect(filing.photographArea(at).name).toBe('Bedroom 1');
    expect(filing.next.current).toEqual({ name: 'Bedroom 1', type: null });
  });

  it('is the current area when the call names none', () => {
    const filing = fileCapture(inKitchen, call());
    expect(filing.photographArea(at).name).toBe('Kitchen');
    expect(filing.next).toEqual(inKitchen);
  });

  it('is General when there is neither', () => {
    expect(fileCapture(nowhere, call()).photographArea(at).name).toBe('General');
    expect(fileCapture(nowhere, call({ hasRemark: true })).remarkArea.name).toBe('General');
  });

  it('is closed by a remark', () => {
    const filing = fileCapture(inKitchen, call({ hasRemark: true }));
    expect(filing.remarkArea.name).toBe('Kitchen');
    expect(filing.photographArea(at).name).toBe('Kitchen');
    expect(filing.next).toEqual(closedKitchen);
  });

  it('stays the closed one for photographs of up to 60 s after the remark', () => {
    const filing = fileCapture(closedKitchen, call());
    expect(filing.photographArea(at - 5000).name).toBe('Kitchen');
    expect(filing.photographArea(at + 60_000).name).toBe('Kitchen');
    expect(filing.photographArea(at + 60_001).name).toBe('General');
    expect(filing.next.current).toBeNull();
  });

  it('does not reach back once another area is open', () => {
    const filing = fileCapture({ ...closedKitchen, current: { name: 'Hall', type: null } }, call());
    expect(filing.photographArea(at + 1).name).toBe('Hall');
  });

  it('of a remark without an open area is the one last closed', () => {
    expect(fileCapture(closedKitchen, call({ hasRemark: true })).remarkArea.name).toBe('Kitchen');
  });

  it('is, beside such a remark, the area that it closes once more', () => {
    const again = fileCapture(closedKitchen, call({ hasRemark: true, remarkAt: at + 300_000 }));
    expect(again.photographArea(at + 300_000).name).toBe('Kitchen');
    expect(again.photographArea(at + 360_001).name).toBe('General');
    const late = fileCapture(closedKitchen, call({ hasRemark: true, remarkAt: at - 300_000 }));
    expect(late.photographArea(at + 60_000).name).toBe('Kitchen');
  });

  it('keeps the type that a call gave it', () => {
    const first = fileCapture(nowhere, call({ area: 'Annexe', areaType: 'external' }));
    expect(first.photographArea(at).type).toBe('external');
    expect(fileCapture(first.next, call()).photographArea(at).type).toBe('external');
    expect(fileCapture(first.next, call({ area: 'ANNEXE' })).photographArea(at).type).toBe('external');
    expect(fileCapture(first.next, call({ area: 'Other' })).photographArea(at).type).toBe('room');
  });

  it('has the type of its records when it is named again after another area', () => {
    const again = fileCapture(inKitchen, call({ area: 'Annexe', knownType: 'external' }));
    expect(again.photographArea(at).type).toBe('external');
    expect(again.next.current).toEqual({ name: 'Annexe', type: 'external' });
    const byName = fileCapture(inKitchen, call({ area: 'Hall', knownType: 'room' }));
    expect(byName.next.current).toEqual({ name: 'Hall', type: null });
  });
});
