import { type AreaGroup, headingOf, ownHeading } from './area-groups.js';
import type { ReportPhotograph } from './inspection-report.js';
import { ukStamp } from './uk-time.js';

/** The photographs of a report, numbered 1..N in the order in which its areas are handed over. */
export class PhotographNumbers {
  private readonly numbers = new Map<string, number>();
  private readonly photographs = new Map<AreaGroup, ReportPhotograph[]>();

  constructor(groups: readonly AreaGroup[]) {
    for (const group of groups) this.photographs.set(group, this.number(group));
  }

  get count(): number {
    return this.numbers.size;
  }

  /** The photographs of an area, each with its number, its own stamp and alternative text. */
  of(group: AreaGroup): ReportPhotograph[] {
    return this.photographs.get(group) ?? [];
  }

  /** The numbers of photographs by their ids, ascending; those of other reports have none. */
  named(ids: readonly string[]): number[] {
    return ids.flatMap((id) => this.numbers.get(id) ?? []).sort((one, other) => one - other);
  }

  private number(group: AreaGroup): ReportPhotograph[] {
    const heading = headingOf(group);
    return group.photographs.map((photograph) => {
      const number = this.numbers.size + 1;
      const stamp = ukStamp(photograph.capturedAt);
      const { id, width, height, rendition, renditionBytes, caption } = photograph;
      this.numbers.set(id, number);
      const filedUnder = ownHeading(group, photograph.areaName);
      const place = filedUnder === undefined ? heading : `${heading}, ${filedUnder}`;
      return {
        id,
        number,
        instant: photograph.capturedAt,
        stamp,
        alternative: `Photograph ${number}, ${place}, ${stamp}`,
        ...(filedUnder === undefined ? {} : { filedUnder }),
        width,
        height,
        rendition,
        ...(renditionBytes === undefined ? {} : { renditionBytes }),
        ...(caption !== undefined && /\S/.test(caption) ? { caption } : {}),
      };
    });
  }
}
