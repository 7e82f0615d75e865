import type { SetText, StructureElement, TextBlock } from '../definition.js';
import { numberList } from '../fact-words.js';
import { PHOTOGRAPH_NUMBERS } from '../look.js';
import { paragraph } from '../parts.js';
import type { Sides } from './comparison-report.js';

/** The beginnings of the ids of photographs, before their numbers in the report of either side. */
const PREFIXES: Sides<string> = { before: 'b', after: 'a' };

/** Returns the id of a photograph, for links to it. */
export const photographId = (side: keyof Sides<unknown>, number: number): string =>
  `${PREFIXES[side]}${number}`;

/** Returns the link of a text whose numbers are photographs of a side. */
export const numbersLink = (side: keyof Sides<unknown>): Required<Pick<SetText, 'link'>> => ({
  link: { numbers: PREFIXES[side] },
});

/** `Photograph 4`, `Photographs 4, 5` */
export const numberedPhotographs = (numbers: readonly number[]): string =>
  `${numbers.length === 1 ? 'Photograph' : 'Photographs'} ${numberList(numbers)}`;

/** Prints the numbers of photographs, each with a link to its photograph. */
export const numbersLine = (
  numbers: readonly number[],
  side: keyof Sides<unknown>,
  element: StructureElement,
): TextBlock =>
  paragraph(element, numberedPhotographs(numbers), PHOTOGRAPH_NUMBERS, [0, 0, 0, 0], numbersLink(side));
