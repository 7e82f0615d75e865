import { suggested } from '../../common/nearest-name.js';
import { type Warning, Warnings } from '../../common/warnings.js';
import { SERVICE_AREAS, type ServiceArea } from '../areas/area-type.js';
import { classifyArea } from '../areas/classify-area.js';
import { normalizeArea } from '../areas/normalize-area.js';
import { type AreaGroup, headingOf, namedGroup, POOLED_KEY } from './area-groups.js';
import type { RemarkInput } from './report-input.js';
import type { ReportMeta } from './report-meta.js';

/** The areas with their comments, and the comments on External Areas as a whole. */
export interface MatchedRemarks {
  readonly groups: AreaGroup[];
  readonly pooledComments: string[];
  readonly warnings: Warning[];
}

/**
 * Puts every remark under its area (description 2.5): those recorded by captures first, then `meta.areaComments`, each
 * in order. A room goes by its label, External Areas by the pooled heading or any room inside it (all are merged), a
 * service area by its name. A recorded remark gives its area a place in the report even without a photograph; a key of
 * `areaComments` does so for the five service areas only. What matches nothing is dropped with a warning.
 */
export function matchRemarks(
  areas: readonly AreaGroup[],
  recorded: readonly RemarkInput[],
  areaComments: ReportMeta['areaComments'],
): MatchedRemarks {
  const desk = new RemarkDesk([...areas]);
  for (const { areaName, areaType, text } of recorded) {
    const comments = desk.commentsFor(areaName, true, areaType);
    comments?.push(text);
  }
  const warnings = new Warnings();
  const names = desk.names;
  for (const [area, remarks] of areaComments) {
    if (remarks.length === 0) continue;
    const comments = desk.commentsFor(area, false);
    if (comments) comments.push(...remarks);
    else warnings.addMade(() => unknownArea(area, names));
  }
  return { groups: desk.groups, pooledComments: desk.pooledComments, warnings: warnings.list() };
}

function unknownArea(area: string, names: readonly string[]): Warning {
  const shown = area.slice(0, 80);
  return {
    code: 'unknown_area',
    message: `The remarks on "${shown}" were dropped: that area is not in the report.`,
    path: `meta.areaComments["${shown}"]`,
    ...suggested(area, names),
  };
}

class RemarkDesk {
  readonly pooledComments: string[] = [];
  private readonly byKey = new Map<string, AreaGroup>();
  private readonly byService = new Map<ServiceArea, AreaGroup>();

  constructor(readonly groups: AreaGroup[]) {
    groups.forEach((group) => this.index(group));
  }

  /** What the areas of the report are called. */
  get names(): string[] {
    return [...this.groups.map(headingOf), ...SERVICE_AREAS];
  }

  /** Where a remark on the named area belongs; undefined when the report has no such area. */
  commentsFor(name: string, recorded: boolean, override?: RemarkInput['areaType']): string[] | undefined {
    const key = normalizeArea(name);
    const { service } = classifyArea(name, override);
    const group = this.byKey.get(key) ?? (service && this.byService.get(service));
    if (group) return group.type === 'external' ? this.pooledComments : group.comments;
    if (key === POOLED_KEY && (recorded || this.hasExternalAreas())) return this.pooledComments;
    if (!recorded && !service) return undefined;
    return this.add(namedGroup(name, override));
  }

  private add(group: AreaGroup): string[] {
    if (group.type === 'external') return this.pooledComments;
    this.groups.push(group);
    this.index(group);
    return group.comments;
  }

  private index(group: AreaGroup): void {
    if (group.service) this.byService.set(group.service, group);
    if (!this.byKey.has(group.key)) this.byKey.set(group.key, group);
  }

  private hasExternalAreas(): boolean {
    return this.groups.some((group) => group.type === 'external');
  }
}
