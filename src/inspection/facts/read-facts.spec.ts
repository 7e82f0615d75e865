import { readFacts } from './read-facts.js';

const factsOf = (fields: object) =>
  readFacts(fields)?.facts.map(({ kind, words, photographs }) => ({
    kind,
    ...words,
    ...(photographs && { photographs }),
  }));
const warningsOf = (fields: object) => readFacts(fields)?.warnings.map(({ code, path }) => [code, path]);

describe('the facts of a capture', () => {
  it('are read as they were said, in the order of their members', () => {
    const fields = {
      alarm: { kind: 'Smoke', place: 'Landing', tested: false, expires: 2031 },
      keys: [
        { kind: 'Front door', count: 2 },
        { kind: 'Fob', count: '0' },
      ],
      reading: { value: '00123.40', unit: 'm³', serial: 'G4 A\u0007' },
      observations: [
        {
          item: ' Worktop ',
          condition: 'Good',
          cleanliness: 'dusty',
          description: 'a\nb',
          photographs: [0, '1'],
        },
      ],
    };
    expect(factsOf(fields)).toEqual([
      {
        kind: 'observation',
        ...{ item: ' Worktop ', condition: 'good', cleanliness: 'dusty', description: 'a\nb' },
        photographs: [0, 1],
      },
      { kind: 'reading', value: '00123.40', unit: 'm³', serial: 'G4 A\u0007' },
      { kind: 'Front door', count: 2 },
      { kind: 'Fob', count: 0 },
      { kind: 'Smoke', place: 'Landing', tested: false, expires: 2031 },
    ]);
    expect(warningsOf(fields)).toEqual([]);
  });

  it('take everything that can be stated of an item', () => {
    const details = [{ label: 'Colour', value: 'White' }];
    const item = {
      ...{ item: 'Oven', quantity: '1', make: 'Beko', model: 12, serial: 'A 1', age: '3 years', details },
      ...{ asBefore: true, responsibility: 'Fair wear and tear', action: 'None', note: 'See page 4' },
      ...{ cleanliness: 'Professional' },
    };
    expect(factsOf({ observations: [item] })).toEqual([
      {
        kind: 'observation',
        ...{ item: 'Oven', cleanliness: 'professional', quantity: 1, make: 'Beko', model: 12, serial: 'A 1' },
        ...{ age: '3 years', details, asBefore: true, responsibility: 'fair_wear_and_tear', action: 'none' },
        note: 'See page 4',
      },
    ]);
    expect(
      factsOf({
        reading: { value: '1', location: 'Hall', supplier: 'Grid', register: 'Night' },
        keys: [{ kind: 'Yale', count: 2, returned: 1 }],
        alarm: { kind: 'Smoke', result: 'Sounded' },
      }),
    ).toMatchObject([
      { location: 'Hall', supplier: 'Grid', register: 'Night' },
      { count: 2, returned: 1 },
      { result: 'Sounded' },
    ]);
  });

  it('take the first thousand lines of details', () => {
    const details = `Colour: white${'\n'.repeat(1_000)}Bulbs: 2`;
    expect(factsOf({ observations: [{ item: 'Lamp', details }] })).toMatchObject([
      { details: [{ label: 'Colour', value: 'white' }] },
    ]);
  });

  it('take details as lines too, six at most, and "asBefore" only if it is true', () => {
    const lines = 'Colour: white\nBulbs: 2: warm\n\nno label';
    const many = Array.from({ length: 8 }, (_, index) => ({ label: `L${index}`, value: index }));
    const observations = [
      { item: 'Lamp', details: lines, asBefore: false },
      { item: 'Sofa', details: many },
      { item: 'Rug', details: 'none', asBefore: 'yes', quantity: -1, responsibility: 'nobody', action: 7 },
    ];
    const [lamp, sofa, rug] = factsOf({ observations }) as { details?: { label: string; value: string }[] }[];
    expect(lamp).toEqual({
      ...{ kind: 'observation', item: 'Lamp' },
      details: [
        { label: 'Colour', value: 'white' },
        { label: 'Bulbs', value: '2: warm' },
      ],
    });
    expect(sofa?.details).toHaveLength(6);
    expect(sofa?.details?.[5]).toEqual({ label: 'L5', value: '5' });
    expect(rug).toEqual({ kind: 'observation', item: 'Rug' });
    expect(warningsOf({ observations })).toEqual([
      ['wrong_type', 'observations[0].details'],
      ...['quantity', 'details', 'asBefore', 'responsibility', 'action'].map((name) => [
        'wrong_type',
        `observations[2].${name}`,
      ]),
    ]);
  });

  it.each([{}, { observations: null, reading: undefined }, { keys: '  ' }])('are none in %j', (fields) =>
    expect(readFacts(fields)).toBeUndefined(),
  );

  it('lose a member that is wrong, and keep the rest', () => {
    const observation = {
      item: 'Hob',
      condition: 'goood',
      cleanliness: 3,
      description: ['x'],
      photographs: 'all',
    };
    const read = readFacts({ observations: [observation], keys: [{ kind: 'Shed', count: -1 }] })!;
    expect(read.facts.map(({ words }) => words)).toEqual([{ item: 'Hob' }, { kind: 'Shed' }]);
    expect(read.warnings).toMatchObject([
      {
        code: 'wrong_type',
        message: 'observations[].condition must be one of new, good, fair, poor, damaged; it was dropped.',
        path: 'observations[0].condition',
        suggestion: 'good',
      },
      { path: 'observations[0].cleanliness' },
      { path: 'observations[0].description' },
      { path: 'observations[0].photographs' },
      { path: 'keys[0].count', message: 'keys[].count must be a whole number, 0 or more; it was dropped.' },
    ]);
  });

  it.each([
    [{ observations: [{ condition: 'good' }] }, [['fact_dropped', 'observations[0].item']]],
    [{ reading: { value: null, serial: 'A' } }, [['fact_dropped', 'reading.value']]],
    // The result of JSON.parse for 1e999.
    [
      { reading: { value: Infinity } },
      [
        ['wrong_type', 'reading.value'],
        ['fact_dropped', 'reading.value'],
      ],
    ],
    [
      { reading: { value: NaN } },
      [
        ['wrong_type', 'reading.value'],
        ['fact_dropped', 'reading.value'],
      ],
    ],
    [
      { reading: { value: { deep: [] } } },
      [
        ['wrong_type', 'reading.value'],
        ['fact_dropped', 'reading.value'],
      ],
    ],
    [{ reading: [1] }, [['wrong_type', 'reading']]],
    [{ observations: {} }, [['wrong_type', 'observations']]],
    [{ keys: 'three' }, [['wrong_type', 'keys']]],
    [{ alarm: true }, [['wrong_type', 'alarm']]],
    [{ observations: ['Worktop', null] }, [['wrong_type', 'observations[0]']]],
  ])('of %j there are none, with a warning', (fields, warnings) => {
    expect(readFacts(fields)?.facts).toEqual([]);
    expect(warningsOf(fields)).toEqual(warnings);
  });

  it('are told of names that are nearly known, and of no others', () => {
    const reading = { value: 1, seriel: 'A', colour: 'red' };
    expect(readFacts({ reading })).toMatchObject({
      facts: [{ words: { value: 1 } }],
      warnings: [{ code: 'unknown_member', path: 'reading', suggestion: 'serial' }],
    });
  });

  it('take nothing from a prototype, and give none', () => {
    const fields = JSON.parse(
      '{"observations":[{"__proto__":{"item":"x"}},{"item":"y","__proto__":{"condition":"poor"},"constructor":{}}]}',
    ) as object;
    const read = readFacts(fields)!;
    expect(read.facts.map(({ words }) => words)).toEqual([{ item: 'y' }]);
    expect(({} as Record<string, unknown>)['condition']).toBeUndefined();
  });

  it('are at most five hundred, the rest is told once', () => {
    const observations = Array.from({ length: 10_000 }, (_, index) => ({ item: `Item ${index}` }));
    const read = readFacts({ observations, reading: { value: 1 } })!;
    expect(read.facts).toHaveLength(500);
    expect(read.warnings).toMatchObject([{ code: 'too_many_facts', path: 'observations[500]', count: 9501 }]);
  });

  it('have texts of bounded length, never cut within a character', () => {
    const item = `${'x'.repeat(499)}😀${'y'.repeat(1_000_000)}`;
    const { facts, warnings } = readFacts({ observations: [{ item, description: item }] })!;
    expect(facts[0]!.words['item']).toBe(`${'x'.repeat(499)}\ufffd`);
    expect(facts[0]!.words['description']).toHaveLength(10_000);
    expect(warnings.map(({ code }) => code)).toEqual(['text_cut', 'text_cut']);
  });

  it.each([
    [[0, '3', '019a0000-0000-7000-8000-000000000000'], [0, 3, '019a0000-0000-7000-8000-000000000000'], 0],
    [[-1, 1.5, NaN, 'first', {}, null, 1e300], [], 7],
    [Array(60).fill(0), Array(50).fill(0), 1],
  ])('name photographs by index or id: %j', (photographs, named, warnings) => {
    const read = readFacts({ observations: [{ item: 'Hob', photographs }] })!;
    expect(read.facts[0]!.photographs).toEqual(named);
    expect(read.warnings.reduce((sum, { count = 1 }) => sum + count, 0)).toBe(warnings);
  });
});
