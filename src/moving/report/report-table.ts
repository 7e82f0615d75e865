import {
  MOST_NAMED,
  MOVE_KINDS,
  MOVE_OUTCOMES,
  type MoveKind,
  type MoveOutcome,
  type MoveReport,
} from './move-report.js';

const HEADS: Readonly<Record<MoveOutcome, string>> = {
  came: 'moved',
  here: 'already here',
  placeholder: 'placeholder',
  left: 'not moved',
};

const LISTS: readonly (readonly [MoveOutcome, string])[] = [
  ['placeholder', 'Moved as a placeholder:'],
  ['left', 'Not moved:'],
  ['here', 'Already here, and different from the other side:'],
];

const MOST_SHOWN = 120;

/** Removes characters that could move the cursor of a terminal, because names come from another database. */
const shown = (text: string): string => {
  const plain = text
    .replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g, ' ')
    .trim();
  return plain.length > MOST_SHOWN ? `${plain.slice(0, MOST_SHOWN)}…` : plain;
};

/** Returns the printed report: the table, the reasons behind its last columns, and the notes. */
export function reportTable(report: MoveReport): string {
  const parts = [table(report)];
  for (const [outcome, head] of LISTS) {
    const lines = linesOf(report, outcome);
    if (lines.length > 0) parts.push(`${head}\n${lines.join('')}`);
  }
  const notes = [...report.notes].map(([note, names]) => `  ${named(names)}${wholeLine(note)}\n`);
  if (notes.length > 0) parts.push(`Notes:\n${notes.join('')}`);
  return parts.join('\n');
}

function table(report: MoveReport): string {
  const kinds = Object.keys(MOVE_KINDS) as MoveKind[];
  const used = kinds.filter((kind) => MOVE_OUTCOMES.some((outcome) => report.count(kind, outcome) > 0));
  const width = Math.max(0, ...used.map((kind) => MOVE_KINDS[kind].length));
  const row = (name: string, cells: readonly (string | number)[]): string =>
    `${name.padEnd(width)}${cells.map((cell) => String(cell).padStart(14)).join('')}\n`;
  const head = row(
    '',
    MOVE_OUTCOMES.map((outcome) => HEADS[outcome]),
  );
  const body = used.map((kind) =>
    row(
      MOVE_KINDS[kind],
      MOVE_OUTCOMES.map((outcome) => report.count(kind, outcome)),
    ),
  );
  return head + body.join('');
}

const linesOf = (report: MoveReport, outcome: MoveOutcome): string[] =>
  report
    .list()
    .filter((group) => group.outcome === outcome && group.why !== '')
    .map(({ kind, count, names, why }) => {
      const who = names.length > 0 ? named(names) : `${count}: `;
      return `  ${MOVE_KINDS[kind]}: ${who}${wholeLine(why)}\n`;
    });

/** Returns `"one", "two": `, or nothing without names. */
function named(names: readonly string[]): string {
  if (names.length === 0) return '';
  const more = names.length >= MOST_NAMED ? ' and more' : '';
  return `${names.map((name) => `"${shown(name)}"`).join(', ')}${more}: `;
}

const wholeLine = (text: string): string =>
  text.replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g, ' ');
