import { type AreaGroup, headingOf, ownHeading } from './area-groups.js';
import type { ReportPhotograph } from './inspection-report.js';
import type { PhotographInput } from './report-input.js';
import { ukStamp } from './uk-time.js';

/** The note under a photograph with missing or corrupt data (contract section 5). */
export const PARTLY_READ = 'Damaged file: only a part of this photograph could be read.';

/** Numbers the photographs of a report 1..N in the order of the calls of `of`. */
export class PhotographNumbers {
  private readonly numbers = new Map<string, number>();
  private readonly photographs = new Map<AreaGroup, ReportPhotograph[]>();

  constructor(groups: readonly AreaGroup[]) {
    for (const group of groups) this.photographs.set(group, this.number(group));
  }

  get count(): number {
    return this.numbers.size;
  }

  /** Returns the photographs of an area with number, timestamp and alternative text. */
  of(group: AreaGroup): ReportPhotograph[] {
    return this.photographs.get(group) ?? [];
  }

  /** Returns the numbers of photographs by id, ascending; those of other reports have none. */
  named(ids: readonly string[]): number[] {
    return ids.flatMap((id) => this.numbers.get(id) ?? []).sort((one, other) => one - other);
  }

  private number(group: AreaGroup): ReportPhotograph[] {
    const heading = headingOf(group);
    return group.photographs.map((photograph) => {
      const number = this.numbers.size + 1;
      const stamp = ukStamp(photograph.capturedAt);
      const { id, width, height, rendition, renditionSha256 } = photograph;
      const caption = captionOf(photograph);
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
        renditionSha256,
        ...(caption === '' ? {} : { caption }),
      };
    });
  }
}

const captionOf = ({ caption, partlyRead }: PhotographInput): string =>
  [caption !== undefined && /\S/.test(caption) ? caption : [], partlyRead ? PARTLY_READ : []]
    .flat()
    .join('\n');
