import type { Json } from '../../common/answer.js';
import { changeOf, type FieldName } from './details-fields.js';
import { type Draft, RecordEditor } from './record-editor.js';

/** A service with one record, storage for drafts, and editors that share both. */
function world(details: Json = {}) {
  const sent: Json[] = [];
  let stored: Partial<Record<FieldName, Draft>> = {};
  const record = { details, down: false, warnings: [] as unknown[], refuses: '' };
  const reached = () => {
    if (record.down) throw new Error('down');
  };
  const service = {
    async details() {
      reached();
      return { details: record.details };
    },
    async changeDetails(members: Json) {
      reached();
      sent.push(members);
      const taken = Object.entries({ ...record.details, ...members }).filter(
        ([name, value]) => value !== null && name !== record.refuses,
      );
      record.details = Object.fromEntries(taken);
      return { details: record.details, warnings: record.warnings };
    },
  };
  const drafts = { read: () => stored, write: (given: typeof stored) => void (stored = given) };
  const load = () => {
    const editor = new RecordEditor({ service, drafts, inWords: () => 'no connection' });
    const field = (name: FieldName) => editor.snapshot().fields[name]!;
    return { editor, opened: editor.open(), field };
  };
  const edit = async () => {
    const { opened, ...loaded } = load();
    await opened;
    return loaded;
  };
  return { record, sent, load, edit, stored: () => stored };
}

describe('the record while it is edited', () => {
  it('shows the record, and sends only the members that were changed', async () => {
    const { sent, edit, record } = world({ address: '1 Test Street', tenant: 'Jo' });
    const { editor, field } = await edit();
    expect(field('address')).toEqual({ text: '1 Test Street', at: 'saved' });
    editor.type('postcode', ' LS1 4AP ');
    editor.type('tenant', '');
    expect(field('postcode')).toEqual({ text: ' LS1 4AP ', at: 'typed' });
    await Promise.all([editor.save('postcode'), editor.save('tenant'), editor.save('address')]);
    expect(sent).toEqual([{ postcode: 'LS1 4AP' }, { tenant: null }]);
    expect(record.details).toEqual({ address: '1 Test Street', postcode: 'LS1 4AP' });
    expect(field('postcode')).toEqual({ text: 'LS1 4AP', at: 'saved' });
  });

  it('stores text that could not be saved, and saves it at the next visit', async () => {
    const { record, sent, edit, stored } = world();
    const first = await edit();
    record.down = true;
    first.editor.type('tenant', 'Jo');
    await first.editor.save('tenant');
    expect(first.field('tenant')).toEqual({ text: 'Jo', at: 'failed', why: 'no connection' });
    const second = await edit();
    expect(second.editor.snapshot().failure).toBe('no connection');
    expect(second.field('tenant').text).toBe('Jo');
    record.down = false;
    const third = await edit();
    expect(sent).toEqual([{ tenant: 'Jo' }]);
    expect(third.field('tenant')).toEqual({ text: 'Jo', at: 'saved' });
    expect(stored()).toEqual({});
  });

  it('does not overwrite a value changed in the meantime until the person confirms it', async () => {
    const { record, sent, edit } = world({ assessor: 'A' });
    const { editor, field } = await edit();
    editor.type('assessor', 'B');
    record.details = { assessor: 'C', tenant: 'Jo' };
    await editor.save('assessor');
    expect(field('assessor')).toEqual({ text: 'B', at: 'differs', meanwhile: 'C' });
    expect(sent).toEqual([]);
    await editor.keepMine('assessor');
    expect(record.details).toEqual({ assessor: 'B', tenant: 'Jo' });
    expect(field('tenant').text).toBe('Jo');
    editor.type('assessor', 'D');
    record.details = { assessor: 'E' };
    await editor.save('assessor');
    editor.takeTheirs('assessor');
    expect(field('assessor')).toEqual({ text: 'E', at: 'saved' });
    expect(record.details).toEqual({ assessor: 'E' });
  });

  it('shows the warnings of the answer, and leaves dropped text in its field', async () => {
    const { record, edit } = world();
    const { editor, field } = await edit();
    record.refuses = 'reportType';
    record.warnings = [{ code: 'wrong_type', message: 'details.reportType was dropped.' }];
    editor.type('reportType', 'checkin');
    await editor.save('reportType');
    expect(field('reportType')).toEqual({
      text: 'checkin',
      at: 'failed',
      why: 'details.reportType was dropped.',
    });
    record.refuses = '';
    record.warnings = [{ code: 'odd', message: 'Is that so?' }];
    await editor.save('reportType');
    expect(field('reportType')).toEqual({ text: 'checkin', at: 'saved', why: 'Is that so?' });
  });

  it('does not save text that is typed while the record loads until its field is left', async () => {
    const { record, sent, load } = world({ assessor: 'A' });
    const { editor, opened, field } = load();
    editor.type('tenant', 'J');
    await opened;
    expect(sent).toEqual([]);
    expect(field('tenant')).toEqual({ text: 'J', at: 'typed' });
    record.details = { assessor: 'A', tenant: 'Sam' };
    await editor.save('tenant');
    expect(field('tenant')).toEqual({ text: 'J', at: 'differs', meanwhile: 'Sam' });
  });

  it('keeps text that is typed during a save', async () => {
    const { record, edit } = world();
    const { editor, field } = await edit();
    editor.type('tenant', 'Jo');
    const saving = editor.save('tenant');
    editor.type('tenant', 'Jo Bloggs');
    await saving;
    expect(field('tenant').text).toBe('Jo Bloggs');
    await editor.save('tenant');
    expect(record.details).toEqual({ tenant: 'Jo Bloggs' });
  });

  it('leaves the date and note of a document that has no name yet in their field, also at the next visit', async () => {
    const { record, sent, edit } = world();
    const { editor, field } = await edit();
    const typed = 'EPC\t2026-01-02\t\n\t2026-02-03\tvalid';
    editor.type('documents', typed);
    await editor.save('documents');
    expect(field('documents')).toMatchObject({ text: typed, at: 'failed' });
    const second = await edit();
    expect(second.field('documents')).toMatchObject({ text: typed, at: 'failed' });
    expect(sent).toEqual([]);
    second.editor.type('documents', 'EPC\t2026-01-02\t\nGas\t2026-02-03\tvalid');
    await second.editor.save('documents');
    expect(record.details).toEqual({
      documents: [
        { kind: 'EPC', date: '2026-01-02' },
        { kind: 'Gas', date: '2026-02-03', note: 'valid' },
      ],
    });
  });

  it('shows the id of a report that was pasted as a link, and adds to the parts of a member', async () => {
    const id = '0199a1f2-7c3e-7b1a-9d55-3f1c2b7a9e40';
    const { record, sent, edit } = world({ tenancy: { start: '2025-11-03' } });
    const { editor, field } = await edit();
    editor.type('previousReport', `https://x.example/reports/${id}/file?expires=1`);
    editor.type('tenancy.end', '2026-11-02');
    await Promise.all([editor.save('previousReport'), editor.save('tenancy.end')]);
    expect(field('previousReport')).toEqual({ text: id, at: 'saved' });
    expect(record.details).toEqual({
      previousReport: id,
      tenancy: { start: '2025-11-03', end: '2026-11-02' },
    });
    expect(changeOf({}, 'guided', '')).toEqual({ guided: null });
    expect(sent).toHaveLength(2);
  });
});
