import { type AreaGroup, headingOf } from './area-groups.js';
import type { ReportPhotograph } from './inspection-report.js';
import { ukStamp } from './uk-time.js';

/** Numbers photographs 1..N in the order in which their areas are handed to it: one instance a report. */
export class PhotographNumbers {
  private last = 0;

  get count(): number {
    return this.last;
  }

  /** The photographs of an area, numbered on, each with its own stamp and alternative text. */
  number(group: AreaGroup): ReportPhotograph[] {
    const heading = headingOf(group);
    return group.photographs.map((photograph) => {
      const number = ++this.last;
      const stamp = ukStamp(photograph.capturedAt);
      const { id, width, height, rendition, renditionBytes, caption } = photograph;
      return {
        id,
        number,
        stamp,
        alternative: `Photograph ${number}, ${heading}, ${stamp}`,
        width,
        height,
        rendition,
        ...(renditionBytes === undefined ? {} : { renditionBytes }),
        ...(caption !== undefined && /\S/.test(caption) ? { caption } : {}),
      };
    });
  }
}
