import { type Grade, wordGravity } from '../../inspection/facts/grades.js';
import type { ReportFact } from '../../inspection/report/inspection-report.js';
import type { Column } from './data-table.js';
import type { TagLook } from './definition.js';
import { capitalised, numberList, printedWord } from './fact-words.js';
import { TABLE_LINK, TABLE_TAG, TAG_INDENT } from './look.js';

/** The beginning of the ids of photographs, before their numbers. */
const PHOTOGRAPHS = 'p';

/** Returns the id of a photograph by its number, for links to it. */
export const photographBlock = (number: number): string => `${PHOTOGRAPHS}${number}`;

const TAGS: Readonly<Record<Grade['gravity'], TagLook>> = {
  grave: 'solid',
  noted: 'outlined',
  none: 'quiet',
};

/** Returns the columns of condition and cleanliness, each grade in its tag. */
export const gradeColumns = <Row extends Pick<ReportFact, 'words'>>(): Column<Row>[] =>
  (['condition', 'cleanliness'] as const).map((member) => ({
    title: capitalised(member),
    width: 52,
    value: ({ words }) => capitalised(printedWord(words, member)),
    style: () => TABLE_TAG,
    more: ({ words }) => {
      const word = printedWord(words, member);
      return word === '' ? {} : gradeTag(word);
    },
  }));

/** Returns the members of a text that put a grade into its tag: filled for the gravest, outlined for others to note. */
export const gradeTag = (grade: string) => ({
  tag: TAGS[wordGravity(grade)],
  lead: { value: '', style: TABLE_TAG, width: TAG_INDENT },
  oneLine: { upTo: 14, smallest: 6.5 },
});

/** Returns the column of the numbers of photographs, each a link to its photograph. */
export const photographsColumn = <Row extends Pick<ReportFact, 'photographs'>>(): Column<Row> => ({
  title: 'Photographs',
  width: 50,
  value: ({ photographs }) => numberList(photographs),
  style: () => TABLE_LINK,
  more: () => ({ link: { numbers: PHOTOGRAPHS } }),
});
