import { bestHeading } from '../areas/area-heading.js';
import { type AreaType, SERVICE_AREA_TITLES } from '../areas/area-type.js';
import { factText } from '../facts/fact-text.js';
import { EXTERNAL_AREAS } from './area-groups.js';
import { frontMatter } from './front-matter.js';
import type { EditionChange, FrontMatter, RoomSection } from './inspection-report.js';
import { META_MEMBERS, META_TEXTS, type MetaName } from './meta-members.js';
import type { PhotographNumbers } from './number-photographs.js';
import type { CorrectedRecord, EditionInput, RecordState, ReportInput } from './report-input.js';
import { readMeta, type ReportMeta, reportTitle } from './report-meta.js';
import { ukDate } from './uk-time.js';

/** A change in words, without its reason. */
type Change = Pick<EditionChange, 'what' | 'was' | 'now'>;

interface Printed {
  readonly meta: ReportMeta;
  readonly sections: readonly RoomSection[];
  readonly numbers: PhotographNumbers;
}

/**
 * Returns what an edition changed (contract section 6): its corrections, members of `meta`, then what it added. An edition
 * that changed nothing has one row with its reason.
 */
export function editionChanges(
  input: Pick<ReportInput, 'photographs' | 'remarks' | 'facts' | 'now'>,
  edition: EditionInput,
  { meta, sections, numbers }: Printed,
): EditionChange[] {
  const date = ukDate(input.now);
  const corrected = edition.corrected.map((record) => ({
    ...correctionOf(record, numbers),
    ...{ reason: record.reason, date },
  }));
  const others = [
    ...metaChanges(edition.metaBefore, meta),
    ...addedPhotographs(input.photographs, sections),
    ...additions(input),
  ].map((change) => ({ ...change, reason: edition.reason, date }));
  const all = [...corrected, ...others];
  return all.length > 0 ? all : [{ ...NOTHING, reason: edition.reason, date }];
}

const NOTHING: Change = { what: 'Whole report', was: '', now: 'Drawn again, unchanged' };

/** The words for the section in which an area prints. */
const SECTIONS: Readonly<Record<AreaType, string>> = {
  room: 'Rooms',
  external: EXTERNAL_AREAS,
  service: 'Meters & Keys',
};

const ADDED = 'Added';

function correctionOf({ kind, id, before, after }: CorrectedRecord, numbers: PhotographNumbers): Change {
  const number = numbers.numberOf(id);
  const noun =
    kind === 'photograph' ? 'Photograph' : kind === 'remark' ? 'Remark' : titled(before.fact!.kind);
  const what = inArea(`${noun}${number === undefined ? '' : ` ${number}`}`, before.area);
  const differs = (member: keyof RecordState) =>
    JSON.stringify(before[member]) !== JSON.stringify(after[member]);
  const words = (state: RecordState): string =>
    state.withdrawn
      ? 'Withdrawn'
      : [
          ...(differs('area') ? [`Area: ${bestHeading([state.area])}`] : []),
          ...(differs('areaType') ? [`Section: ${SECTIONS[state.areaType]}`] : []),
          ...(differs('caption')
            ? [state.caption === undefined ? 'No caption' : `Caption: ${state.caption}`]
            : []),
          ...(differs('turn') ? [state.turn ? `Turned by ${state.turn}°` : 'Not turned'] : []),
          ...(state.text === undefined ? [] : [state.text]),
          ...(state.fact === undefined ? [] : [factWords(state.fact, numbers)]),
          ...(kind === 'photograph' && differs('withdrawn') ? ['Printed'] : []),
        ].join('\n');
  return { what, was: words(before), now: words(after) };
}

function factWords(
  { kind, words, photographs }: NonNullable<RecordState['fact']>,
  numbers: PhotographNumbers,
): string {
  const shown = photographs.flatMap((id) => numbers.numberOf(id) ?? []);
  return [factText(kind, words), ...(shown.length === 0 ? [] : [photographsNamed(shown)])].join('\n');
}

/** Returns the members of `meta` that print differently. */
function metaChanges(metaBefore: unknown, after: ReportMeta): Change[] {
  const { meta: before } = readMeta(metaBefore);
  const row = (name: MetaName, words: (meta: ReportMeta) => string | undefined): Change[] =>
    changed(META_MEMBERS[name].label, words(before), words(after));
  return [
    ...META_TEXTS.filter((name) => name !== 'logo').flatMap((name) =>
      row(name, (meta) => (name === 'reportType' ? reportTitle(meta[name]) : meta[name])),
    ),
    ...(before.logo === after.logo ? [] : [{ what: META_MEMBERS.logo.label, ...logoChange(before, after) }]),
    ...row('guided', ({ guided }) => (guided ? 'Yes' : 'No')),
    ...row('geo', ({ location }) => location?.text),
    ...row('keyDetails', ({ keyDetails }) =>
      keyDetails.map(({ label, value }) => `${label}: ${value}`).join('\n'),
    ),
    ...FRONT.flatMap((name) => row(name, (meta) => frontText(frontMatter(meta)[name]))),
    ...row('previousReport', ({ previousReport }) => previousReport),
    ...row('skippedAreas', ({ skipped }) => skipped.map((area) => SERVICE_AREA_TITLES[area]).join(', ')),
    ...commentChanges(before, after),
  ];
}

const FRONT = ['overview', 'tenancy', 'visit', 'present', 'documents'] as const;

/** Returns a line for each part of a member of the front matter. */
const frontText = (parts: FrontMatter[(typeof FRONT)[number]]): string =>
  parts
    .map((part) => {
      if (typeof part === 'string') return part;
      if ('label' in part) return `${part.label}: ${part.value}`;
      return [part.kind, part.date, part.note].filter((word) => word !== undefined).join(', ');
    })
    .join('\n');

const logoChange = (before: ReportMeta, after: ReportMeta) => ({
  was: before.logo === undefined ? '' : 'Earlier logo',
  now: after.logo === undefined ? 'None' : 'New logo',
});

function commentChanges(before: ReportMeta, after: ReportMeta): Change[] {
  const areas = new Set([...before.areaComments, ...after.areaComments].map(([area]) => area));
  const words = ({ areaComments }: ReportMeta, area: string) =>
    areaComments.flatMap(([name, remarks]) => (name === area ? remarks : [])).join('\n');
  return [...areas].flatMap((area) =>
    changed(inArea('Remarks', area), words(before, area), words(after, area)),
  );
}

function changed(what: string, was = '', now = ''): Change[] {
  if (was === now) return [];
  return [{ what, was, now: now === '' ? 'Left blank' : now }];
}

/** Returns one row for all added photographs, with their areas. */
function addedPhotographs(
  photographs: ReportInput['photographs'],
  sections: readonly RoomSection[],
): Change[] {
  const added = new Set(photographs.flatMap((photograph) => (photograph.added ? photograph.id : [])));
  const places = sections.flatMap(({ heading, photographs: printed }) =>
    printed.flatMap(({ id, number }) => (added.has(id) ? { heading, number } : [])),
  );
  if (places.length === 0) return [];
  const headings = [...new Set(places.map(({ heading }) => heading))];
  const what = photographsNamed(places.map(({ number }) => number));
  return [{ what, was: '', now: `${ADDED}: ${headings.join(', ')}` }];
}

const additions = ({ remarks, facts = [] }: Pick<ReportInput, 'remarks' | 'facts'>): Change[] => [
  ...remarks.flatMap(({ added, areaName, text }) =>
    added ? [{ what: inArea('Remark', areaName), was: '', now: `${ADDED}: ${text}` }] : [],
  ),
  ...facts.flatMap(({ added, kind, areaName, fact }) =>
    added
      ? [
          {
            what: inArea(titled(kind), areaName),
            was: '',
            now: `${ADDED}: ${factText(kind, fact)}`,
          },
        ]
      : [],
  ),
];

/** `Photograph 3`, `Photographs 3–5, 8`. */
function photographsNamed(numbers: readonly number[]): string {
  const runs: [number, number][] = [];
  for (const number of [...numbers].sort((one, other) => one - other)) {
    const run = runs.at(-1);
    if (run?.[1] === number - 1) run[1] = number;
    else runs.push([number, number]);
  }
  const list = runs.map(([from, to]) => (from === to ? from : `${from}–${to}`)).join(', ');
  return `Photograph${numbers.length === 1 ? '' : 's'} ${list}`;
}

/** `Remark, Kitchen`; `Keys` for keys under that name. */
function inArea(noun: string, area: string): string {
  const heading = bestHeading([area]);
  return heading === noun ? noun : `${noun}, ${heading}`;
}

const titled = (kind: string): string => kind.charAt(0).toUpperCase() + kind.slice(1);
