import { suggested } from '../../common/texts/nearest-name.js';
import { type Warning, Warnings } from '../../common/warnings.js';
import { type AreaType, SERVICE_AREAS, type ServiceArea } from '../areas/area-type.js';
import { classifyArea } from '../areas/classify-area.js';
import { normalizeArea } from '../areas/normalize-area.js';
import { OwnNames } from '../areas/own-name.js';
import {
  type AreaGroup,
  type FiledRemark,
  fileUnder,
  headingOf,
  isPooled,
  namedGroup,
  POOLED_KEY,
} from './area-groups.js';
import type { ReportRemark } from './inspection-report.js';
import type { ReportInput } from './report-input.js';
import type { ReportMeta } from './report-meta.js';
import { absentAreas } from './service-sections.js';

/** The areas with their comments, and the comments on External Areas as a whole. */
export interface MatchedRemarks {
  readonly groups: AreaGroup[];
  readonly pooledComments: ReportRemark[];
  readonly warnings: Warning[];
}

/**
 * Files every remark and fact under its area (description section 2.5): remarks recorded by captures first, then
 * `meta.areaComments`, each in order. Matches a room by its label, External Areas by its heading or any area inside it
 * (merged), and a service area by its name. A recorded remark or fact, an absence note and key details add their area to
 * the report even without a photograph. A key of `areaComments` does not: if it matches no area, it is dropped with a
 * warning.
 */
export function matchRemarks(
  areas: readonly AreaGroup[],
  {
    remarks: recorded,
    facts = [],
    photographedBefore,
  }: Pick<ReportInput, 'remarks' | 'facts' | 'photographedBefore'>,
  meta: Pick<ReportMeta, 'areaComments' | 'skipped' | 'keyDetails'>,
): MatchedRemarks {
  const desk = new RemarkDesk([...areas]);
  for (const { areaName, areaType, text } of recorded)
    desk.fileIn(desk.groupOf(areaName, areaType), areaName)(text);
  for (const fact of facts) {
    const group = desk.groupOf(fact.areaName, fact.areaType);
    group.facts.push({ fact, nameKey: fileUnder(group, fact.areaName) });
  }
  absentAreas(desk.groups, meta, photographedBefore).forEach((service) => desk.requireService(service));
  if (meta.keyDetails.length > 0) desk.requireService('keys');
  const warnings = new Warnings();
  const names = desk.names;
  for (const [area, remarks] of meta.areaComments) {
    if (remarks.length === 0) continue;
    const file = desk.fileFor(area);
    if (file) remarks.forEach(file);
    else warnings.addMade(() => unknownArea(area, names));
  }
  return { groups: desk.groups, pooledComments: remarksOf(desk.pooled), warnings: warnings.list() };
}

/** Returns the remarks of an area for printing: text and name. */
export const remarksOf = ({ comments, names }: Pick<AreaGroup, 'comments' | 'names'>): ReportRemark[] =>
  comments.map(({ text, nameKey }) => ({
    text,
    ...(nameKey === undefined ? {} : { filedUnder: names.headingOf(nameKey) }),
  }));

function unknownArea(area: string, names: readonly string[]): Warning {
  const shown = area.slice(0, 80);
  return {
    code: 'unknown_area',
    message: `The remarks on "${shown}" were dropped: that area is not in the report.`,
    path: `meta.areaComments["${shown}"]`,
    ...(classifyArea(area).service === undefined ? suggested(area, names) : {}),
  };
}

type File = (text: string) => void;

class RemarkDesk {
  /** External Areas as a whole; its names are those of its rooms. */
  readonly pooled = { comments: [] as FiledRemark[], names: new OwnNames() };
  private readonly byKey = new Map<string, AreaGroup>();
  private readonly byService = new Map<ServiceArea, AreaGroup>();

  constructor(readonly groups: AreaGroup[]) {
    groups.forEach((group) => this.index(group));
  }

  /** The headings of the report's areas. */
  get names(): string[] {
    return [...this.groups.map(headingOf), ...SERVICE_AREAS];
  }

  /** Returns the named area, and adds it to the report if missing. */
  groupOf(name: string, override: AreaType | undefined): AreaGroup {
    return this.find(name, override) ?? this.add(namedGroup(name, override));
  }

  /** Adds a service area to the report if missing, even if there is a room of the same name. */
  requireService(service: ServiceArea): void {
    if (!this.byService.has(service)) this.add(namedGroup(service, 'service'));
  }

  /** Returns the function that files remarks on the named area; undefined if the report has no such area. */
  fileFor(name: string): File | undefined {
    const group = this.find(name, undefined);
    if (group) return this.fileIn(group, name);
    return normalizeArea(name) === POOLED_KEY && this.hasExternalAreas()
      ? this.fileOutside(undefined)
      : undefined;
  }

  fileIn(group: AreaGroup, name: string): File {
    if (group.type === 'external') return this.fileOutside(isPooled(group) ? undefined : group.key);
    const nameKey = fileUnder(group, name);
    return (text) => group.comments.push({ text, nameKey });
  }

  private find(name: string, override: AreaType | undefined): AreaGroup | undefined {
    const { service } = classifyArea(name, override);
    return this.byKey.get(normalizeArea(name)) ?? (service && this.byService.get(service));
  }

  private fileOutside(nameKey: string | undefined): File {
    return (text) => this.pooled.comments.push({ text, nameKey });
  }

  private add(group: AreaGroup): AreaGroup {
    this.groups.push(group);
    this.index(group);
    return group;
  }

  private index(group: AreaGroup): void {
    if (group.service) this.byService.set(group.service, group);
    if (!this.byKey.has(group.key)) this.byKey.set(group.key, group);
    if (group.type === 'external') group.spellings.forEach((name) => this.pooled.names.add(group.key, name));
  }

  private hasExternalAreas(): boolean {
    return this.groups.some((group) => group.type === 'external');
  }
}
