import type { AreaSide, ComparedReport, Sides } from './comparison-report.js';

/** `4 photographs, 1 remark`; what there is none of is not said. */
export function counted(photographs: number, remarks: number): string {
  const parts = [plural(photographs, 'photograph'), plural(remarks, 'remark')];
  return parts.filter((part) => part !== '').join(', ');
}

/** `Only at check-in` for an area that stands in one report alone; undefined for one that stands in both. */
export function onlySide(
  { before, after }: Sides<AreaSide | null>,
  sides: Sides<ComparedReport>,
): string | undefined {
  if (before && after) return undefined;
  return `Only ${(before ? sides.before : sides.after).name.when}`;
}

function plural(count: number, noun: string): string {
  if (count === 0) return '';
  return count === 1 ? `1 ${noun}` : `${count} ${noun}s`;
}
