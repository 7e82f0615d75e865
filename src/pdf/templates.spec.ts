import { TEMPLATES, templateNamed } from './templates.js';

describe('the templates of reports', () => {
  it('have names of their own', () => {
    expect(new Set(TEMPLATES.map(({ id }) => id)).size).toBe(TEMPLATES.length);
    for (const template of TEMPLATES) expect(templateNamed(template.id)).toBe(template);
    expect(() => templateNamed('invoice')).toThrow('invoice');
  });

  it.each(TEMPLATES)('$id refuses a source of another type', ({ schema }) => {
    const { error } = schema.safeParse({ type: 'of-another-template' });
    expect(error?.issues.map(({ path }) => path)).toContainEqual(['type']);
  });

  it.each(TEMPLATES.filter(({ example }) => example))(
    '$id reads again what it has read of its example, and makes it of the same',
    (template) => {
      const details = template.schema.parse(template.example?.source);
      const again = template.schema.parse(details);
      expect(again).toEqual(details);
      expect(template.source(again)).toEqual(template.source(details));
    },
  );
});
