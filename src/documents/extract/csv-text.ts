import { CsvError, parse } from 'csv-parse/sync';
import type { Warning } from '../../common/warnings.js';
import { MOST_TEXT_LENGTH, textTooLong } from './extraction-terms.js';

const DELIMITERS = [',', ';', '\t', '|'] as const;

/**
 * Returns one line for each row, so that each can be found alone: `Name: Ann, Room: 3` if the first row has names, else the
 * cells. Empty cells are left out. Malformed CSV is returned as it is, with a warning. Throws `Unextractable` as soon as the
 * text is too long.
 */
export function csvText(text: string): { text: string; warnings: Warning[] } {
  try {
    return { text: rowsOf(text), warnings: [] };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const message =
      'The table is not valid CSV. It was read as plain text, without the names of its columns.';
    return { text, warnings: [{ code: 'csv_as_text', message }] };
  }
}

function rowsOf(text: string): string {
  let head: readonly string[] | undefined;
  let rows = 0;
  let length = 0;
  const lines: string[] = [];
  parse(text, {
    ...{ delimiter: delimiterOf(text), bom: true, skip_empty_lines: true, trim: true },
    ...{ relax_quotes: true, relax_column_count: true },
    on_record: (cells: string[]) => {
      rows += 1;
      if (rows === 1 && isHead(cells)) head = cells.map(onOneLine);
      else {
        const line = lineOf(cells, head);
        length += line.length + 1;
        if (length > MOST_TEXT_LENGTH) throw textTooLong();
        if (line !== '') lines.push(line);
      }
      return null;
    },
  });
  if (lines.length === 0 && head) return head.join(', ');
  return lines.join('\n');
}

/** Returns the delimiter that is most frequent in the first line, outside quotes. */
function delimiterOf(text: string): string {
  const counts = new Map<string, number>();
  let quoted = false;
  for (const character of text.slice(0, 64 * 1024)) {
    if (character === '"') quoted = !quoted;
    else if (quoted) continue;
    else if (character === '\n') break;
    else counts.set(character, (counts.get(character) ?? 0) + 1);
  }
  const countOf = (delimiter: string) => counts.get(delimiter) ?? 0;
  return DELIMITERS.reduce((best, next) => (countOf(next) > countOf(best) ? next : best));
}

const NUMBER = /^[-+]?[\d.,]+%?$/;

/** Treats a row as the head if its cells are different names and no numbers. */
const isHead = (cells: readonly string[]): boolean =>
  new Set(cells).size === cells.length && cells.every((cell) => cell !== '' && !NUMBER.test(cell));

function lineOf(cells: readonly string[], head: readonly string[] | undefined): string {
  const parts: string[] = [];
  for (const [index, cell] of cells.entries()) {
    if (cell === '') continue;
    const name = head?.[index];
    parts.push(name === undefined ? onOneLine(cell) : `${name}: ${onOneLine(cell)}`);
  }
  return parts.join(', ');
}

const onOneLine = (cell: string): string =>
  cell
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ');
