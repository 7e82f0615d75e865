import { numberInWords } from '../../parts/words.js';

export type AmountRead = { amount: number } | { fault: string };

/** Reads a whole number of credits: `500`, `1,000`, `1 000`. Rejects the ambiguous `1.000`, and more than `most`. */
export function readAmount(text: string, most = Number.MAX_SAFE_INTEGER): AmountRead {
  const typed = text.trim();
  if (typed === '') return { fault: 'Enter the number of credits.' };
  const digits = /^\d{1,3}([, ]\d{3})+$/.test(typed) ? typed.replaceAll(/[, ]/g, '') : typed;
  if (!/^\d+$/.test(digits)) return { fault: 'Credits are whole numbers, such as 500.' };
  const amount = Number(digits);
  if (amount === 0) return { fault: 'At least 1 credit.' };
  return amount > most
    ? { fault: `You can add at most ${numberInWords(Math.max(0, most))} credits.` }
    : { amount };
}
