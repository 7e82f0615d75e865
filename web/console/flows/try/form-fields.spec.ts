import type { FlowNode } from '../../../../src/api/flows.js';
import { emptyForm, formFieldsOf, formInWords, formToSend } from './form-fields.js';

const flow = (config: NonNullable<FlowNode['config']>) => ({
  nodes: [{ id: 'start', kind: 'start', config }],
});

describe('the form of a flow', () => {
  const inputs = [
    { type: 'string', label: 'Your name', name: 'name' },
    { type: 'number', name: 'rooms' },
    { type: 'boolean', label: 'Furnished', name: 'furnished' },
    { type: 'options', label: 'Kind', name: 'kind', addOptions: [{ option: 'House' }, { option: 'Flat' }] },
    { label: 'without a name' },
    null,
  ];
  const fields = formFieldsOf(flow({ inputType: 'form', form: { inputs } }))!;

  it('exists when the flow starts with one', () => {
    expect(fields.map(({ name, label, type }) => [name, label, type])).toEqual([
      ['name', 'Your name', 'text'],
      ['rooms', 'rooms', 'number'],
      ['furnished', 'Furnished', 'boolean'],
      ['kind', 'Kind', 'options'],
    ]);
    expect(formFieldsOf(flow({ inputType: 'chat', form: { inputs } }))).toBeUndefined();
    expect(formFieldsOf(flow({ inputType: 'form' }))).toBeUndefined();
    expect(formFieldsOf({ nodes: [] })).toBeUndefined();
  });

  it('is sent with numbers as numbers, and formatted as text', () => {
    const values = { ...emptyForm(fields), name: 'Ann', rooms: '3' };
    expect(formToSend(fields, values)).toEqual({ name: 'Ann', rooms: 3, furnished: false, kind: 'House' });
    expect(formInWords(fields, values)).toBe('Your name: Ann\nrooms: 3\nFurnished: false\nKind: House');
  });
});
