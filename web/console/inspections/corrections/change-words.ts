import type { Change, Correction } from '../../../../src/api/corrections.js';

const TURNS: Readonly<Record<number, string>> = {
  90: 'Rotated right',
  180: 'Rotated by 180°',
  270: 'Rotated left',
};

const HEADINGS = { room: 'the rooms', external: 'the outside areas', service: 'the meters and keys' };

/** Describes a correction, one line per changed member. */
export function changeInWords({ change }: Correction): string[] {
  const { area, areaType, withdrawn, turn, caption, text, undo } = change;
  const lines = [
    ...(area === undefined ? [] : [`Area: ${area}`]),
    ...(areaType === undefined || area !== undefined ? [] : [`Printed under ${HEADINGS[areaType]}`]),
    ...(withdrawn === undefined ? [] : [withdrawn ? 'Withdrawn' : 'Restored']),
    ...(turn === undefined || turn === 0 ? [] : [TURNS[turn] ?? `Rotated by ${turn}°`]),
    ...(caption === undefined ? [] : [caption ? `Caption: ${caption}` : 'Caption removed']),
    ...(text === undefined ? [] : [`Words: ${text}`]),
  ];
  return undo ? ['An earlier correction was undone', ...lines] : lines;
}

/**
 * Returns the correction that undoes the newest one; undefined when the earlier value is unknown, since the corrections do
 * not contain the original values.
 */
export function takingBack(corrections: readonly Correction[]): Change | undefined {
  const newest = corrections.at(-1)?.change;
  if (!newest) return undefined;
  const before = corrections.slice(0, -1);
  const earlier = (member: 'area' | 'caption' | 'text') =>
    before.findLast(({ change }) => change[member] !== undefined)?.change[member];
  const back: Change = {};
  if (newest.turn) back.turn = 360 - newest.turn;
  if (newest.withdrawn !== undefined) back.withdrawn = !newest.withdrawn;
  for (const member of ['area', 'caption', 'text'] as const) {
    if (newest[member] === undefined) continue;
    const value = earlier(member);
    if (value === undefined) return undefined;
    back[member] = value ?? '';
  }
  if (newest.areaType !== undefined && newest.area === undefined) return undefined;
  return Object.keys(back).length > 0 ? back : undefined;
}
