import { databases } from '../../../test/support/databases.js';
import { fixtureOn } from '../../../test/support/fixture-on.js';
import { openTestDatabase } from '../../../test/support/test-database.js';
import { containing } from './containing-text.js';

describe.each(databases)('text that is looked for on %s', (kind) => {
  const { rule, fixture } = fixtureOn(kind, () => openTestDatabase(kind));

  const isFound = async (wanted: string, text: string) => {
    const { sql, values } = containing(['kept.other', 'kept.text'], wanted);
    const kept = `(SELECT CAST(? AS text) AS text, 'another' AS other) AS kept`;
    return (
      (await fixture().reader.all(`SELECT 1 AS one FROM ${kept} WHERE ${sql}`, [text, ...values])).length ===
      1
    );
  };

  /** Pairs of what is looked for and a text in which it would not be found. */
  const missed = async (pairs: readonly [string, string][]) => {
    const missing: [string, string][] = [];
    for (const [wanted, text] of pairs) if (!(await isFound(wanted, text))) missing.push([wanted, text]);
    return missing;
  };

  rule('is found whatever the case of its letters, in every script', async () => {
    const pairs: [string, string][] = [
      ['KITCHEN', 'the Kitchen'],
      ['kitchen', 'THE KITCHEN'],
      ['KÜCHE', 'Küche 4'],
      ['küche', 'KÜCHE 4'],
      ['ОБЪЕКТ', 'объект-7'],
      ['στοα', 'ΣΤΟΑ'],
      ['𐐨𐐩', '𐐀𐐁'],
      ['straße', 'Straße'],
      ['izmİr', 'IZMİR'],
      ['', 'anything'],
    ];
    expect(await missed(pairs)).toEqual([]);
  });

  rule('is not found where other letters stand, however alike they look', async () => {
    const others: [string, string][] = [
      ['kuche', 'Küche'],
      ['K', '\u212a'],
      ['strasse', 'Straße'],
      ['i', 'İ'],
    ];
    expect(await missed(others)).toEqual(others);
  });

  rule('means itself where it has signs of a pattern', async () => {
    const texts = ['100%', 'a_b', 'so!', 'back\\slash', "it's", '[a]*?'];
    expect(await missed(texts.map((text) => [text, `x ${text} y`]))).toEqual([]);
    const others: [string, string][] = [
      ['a_b', 'axb'],
      ['1%0', '100'],
      ['a!b', 'ab'],
    ];
    expect(await missed(others)).toEqual(others);
  });

  rule('may hold as many letters as a query takes', async () => {
    const letters = Array.from({ length: 0x1000 }, (_, code) => String.fromCharCode(code))
      .filter((letter) => letter > '\x7f' && letter.toUpperCase().toLowerCase() === letter)
      .filter((letter) => letter.toUpperCase() !== letter && letter.toUpperCase().length === 1)
      .slice(0, 256);
    expect(letters).toHaveLength(256);
    const text = letters.join('');
    expect(await isFound(text, `x ${text.toUpperCase()} y`)).toBe(true);
    expect(await isFound(`${text}!`, `x ${text.toUpperCase()} y`)).toBe(false);
  });
});
