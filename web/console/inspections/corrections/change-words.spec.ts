import type { Change } from '../../../../src/api/corrections.js';
import { changeInWords, takingBack } from './change-words.js';

const made = (change: Change) => ({ at: '2026-11-21T10:00:00.000Z', by: 'admin', change });
const back = (...changes: Change[]) => takingBack(changes.map(made));

describe('a correction', () => {
  it.each([
    [{ area: 'Loft', areaType: 'room' }, ['Area: Loft']],
    [{ areaType: 'external' }, ['Printed under the outside areas']],
    [{ turn: 90, caption: 'Sink' }, ['Rotated right', 'Caption: Sink']],
    [{ turn: 180 }, ['Rotated by 180°']],
    [{ turn: 270, caption: null }, ['Rotated left', 'Caption removed']],
    [{ withdrawn: true }, ['Withdrawn']],
    [{ withdrawn: false, undo: true }, ['An earlier correction was undone', 'Restored']],
    [{ text: 'Worn' }, ['Words: Worn']],
  ] as const)('is described: %j', (change, lines) => expect(changeInWords(made(change))).toEqual(lines));

  it('is undone by the previous value', () => {
    expect(back({ turn: 90 })).toEqual({ turn: 270 });
    expect(back({ withdrawn: true })).toEqual({ withdrawn: false });
    expect(back({ area: 'Loft' }, { turn: 90 }, { area: 'Attic' })).toEqual({ area: 'Loft' });
    expect(back({ caption: 'a' }, { caption: 'b', turn: 180 })).toEqual({ caption: 'a', turn: 180 });
    expect(back({ caption: null }, { caption: 'b' })).toEqual({ caption: '' });
    expect(back({ text: 'a' }, { text: 'b' })).toEqual({ text: 'a' });
  });

  it('cannot be undone when the previous value is unknown', () => {
    expect(back()).toBeUndefined();
    expect(back({ turn: 90 }, { area: 'Attic' })).toBeUndefined();
    expect(back({ caption: 'b', turn: 90 })).toBeUndefined();
    expect(back({ areaType: 'room' }, { areaType: 'external' })).toBeUndefined();
    expect(back({ undo: true, turn: 0 })).toBeUndefined();
  });
});
