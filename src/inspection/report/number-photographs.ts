import { type AreaGroup, headingOf, ownHeading } from './area-groups.js';
import type { ReportPhotograph } from './inspection-report.js';
import type { PhotographInput } from './report-input.js';
import { ukStamp } from './uk-time.js';

/** The note under a photograph with missing or corrupt data (contract section 5). */
export const PARTLY_READ = 'Damaged file: only a part of this photograph could be read.';

/**
 * Numbers the photographs of a report in print order, from 1. In a further edition, those that earlier editions numbered
 * retain their numbers, and the others follow (contract section 6).
 */
export class PhotographNumbers {
  private readonly numbers = new Map<string, number>();
  private readonly photographs = new Map<AreaGroup, ReportPhotograph[]>();

  private readonly earlier: ReadonlyMap<string, number>;
  private readonly all: string[];

  /** `numbered` are the ids of photographs with numbers in earlier editions, in the order of these. */
  constructor(groups: readonly AreaGroup[], numbered: readonly string[] = []) {
    this.earlier = new Map(numbered.map((id, place) => [id, place + 1]));
    this.all = [...numbered];
    for (const group of groups) this.photographs.set(group, this.number(group));
  }

  /** The number of printed photographs. */
  get count(): number {
    return this.numbers.size;
  }

  /** Ids of all photographs with a number in this edition or an earlier one, in the order of their numbers. */
  get numbered(): readonly string[] {
    return this.all;
  }

  /** Returns the photographs of an area with number, timestamp and alternative text. */
  of(group: AreaGroup): ReportPhotograph[] {
    return this.photographs.get(group) ?? [];
  }

  /** Returns the numbers of photographs by id, ascending; those of other reports have none. */
  named(ids: readonly string[]): number[] {
    return ids.flatMap((id) => this.numbers.get(id) ?? []).sort((one, other) => one - other);
  }

  /** Returns the number of a photograph in this edition or, if it is no longer printed, in an earlier one. */
  numberOf(id: string): number | undefined {
    return this.numbers.get(id) ?? this.earlier.get(id);
  }

  private number(group: AreaGroup): ReportPhotograph[] {
    const heading = headingOf(group);
    return group.photographs.map((photograph) => {
      const number = this.earlier.get(photograph.id) ?? this.all.push(photograph.id);
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
