import { execFileSync } from 'node:child_process';
import { expectAccessible } from './support/accessibility.js';
import { PHONE } from './support/browser.js';
import { consoleFixture } from './support/console.js';
import { expectSoon } from './support/expect-soon.js';
import { holdRequests } from './support/hold-requests.js';
import { FLOW, inspectionPath, inspectionsPage, picture } from './support/inspections-page.js';
import { describeInBrowser } from './support/page-fixture.js';

describeInBrowser('further editions of reports in the console', () => {
  const fixture = consoleFixture({ env: { SAMPLES: 'on', RENDERS_PER_MINUTE: '1000' } });
  const { client, open, page } = fixture;
  const { capture } = inspectionsPage(fixture);

  const textOf = (pdf: ArrayBuffer): string =>
    execFileSync('pdftotext', ['-layout', '-', '-'], { input: new Uint8Array(pdf), encoding: 'utf8' });

  /** Makes an inspection with a photograph, a remark and a reading, and its report; returns the report’s id. */
  const rendered = async (sessionId: string): Promise<string> => {
    await capture(sessionId, { area: 'Kitchen', photographs: [await picture({ caption: 'The sink' })] });
    await capture(sessionId, { area: 'Kitchen', remark: 'The tap drips' });
    await capture(sessionId, { area: 'Gas Meter', reading: { value: 4713, unit: 'm³' } });
    const meta = { reportType: 'interim', propertyNo: '7', address: '1 Wrong Street', tenant: 'Ann' };
    const source = { type: 'inspection', flowId: FLOW, sessionId, meta };
    const { body } = await client.admin('POST', 'pdf/render', { templateId: 'inspection', source });
    return body.file.id as string;
  };

  const openForm = async () => {
    const past = page().getByRole('region', { name: 'Reports', exact: true });
    await past.getByRole('button', { name: /^New edition of/ }).click();
    const dialog = page().getByRole('dialog', { name: /^New edition of/ });
    await dialog.waitFor();
    return dialog;
  };

  it('are made from the corrected items, show their number, and are listed', async () => {
    const first = await rendered('edited');
    await open(inspectionPath('edited', 'report'), { browser: PHONE });
    const dialog = await openForm();
    await expectAccessible(page());
    await dialog.getByRole('button', { name: 'Create the edition' }).click();
    await dialog.getByText('Enter the reason for the new edition.').waitFor();
    await dialog.getByLabel('Reason').fill('The address was wrong');
    const detail = (name: string) => dialog.getByLabel(name, { exact: true });
    await detail('Address').waitFor();
    const printed = ['Address', 'Inspector', 'Tenant', 'Property number'].map((name) =>
      detail(name).inputValue(),
    );
    await expectSoon(() => Promise.all(printed)).toEqual(['1 Wrong Street', '', 'Ann', '7']);
    await dialog.getByRole('button', { name: /Type.*Interim|Interim.*Type/ }).waitFor();
    await detail('Address').fill('2 Right Street');
    await detail('Tenant').fill('');
    await detail('Tenancy start').fill('2025-11-03');
    await dialog.getByText('If empty, it is left out of the report.').waitFor();
    await dialog.getByText('1 photograph, 1 remark').click();
    await dialog
      .getByRole('listitem', { name: /^Photograph of/ })
      .getByLabel('Area')
      .fill('Utility Room');
    await dialog.getByLabel('Caption').fill('The basin');
    await dialog.getByLabel('Text').fill('The basin’s tap drips');
    await dialog.getByText('1 fact').click();
    await dialog.getByLabel('Reading', { exact: true }).fill('');
    await dialog.getByRole('button', { name: 'Create the edition' }).click();
    await dialog.getByText('Enter a value, or withdraw the record.').waitFor();
    await dialog.getByLabel('Reading', { exact: true }).fill('04713');
    await expectAccessible(page());
    await expectSoon(() => page().evaluate('document.documentElement.scrollWidth')).toBe(390);
    await dialog.getByRole('button', { name: 'Create the edition' }).click();

    await dialog.getByRole('heading', { name: 'Edition 2' }).waitFor();
    await dialog.getByText(first).waitFor();
    await expectAccessible(page());
    const link = await dialog.getByRole('link', { name: 'Open the PDF' }).getAttribute('href');
    const text = textOf(await (await fetch(link!)).arrayBuffer());
    for (const printed of [
      'Edition 2',
      '2 Right Street',
      '3 Nov 2025',
      'Utility Room',
      'The basin’s tap drips',
      '04713',
    ])
      expect(text).toContain(printed);
    // The old words stand in the box of changes alone.
    const box = text.slice(text.indexOf('Changed in this edition'), text.indexOf('Contents'));
    const others = text.replace(box, '');
    for (const old of ['1 Wrong Street', 'Ann', 'The sink']) {
      expect(box).toContain(old);
      expect(others).not.toContain(old);
    }
    await dialog.getByRole('button', { name: 'Done' }).click();

    const past = page().getByRole('region', { name: 'Reports', exact: true });
    await past.getByText(/7\.pdf, edition 2/).waitFor();
    await past.getByText('Replaces an earlier edition: The address was wrong').waitFor();
    await past.getByText('Replaced by a newer edition.').waitFor();
    await expectSoon(() => past.getByRole('button', { name: /^New edition of/ }).count()).toBe(1);
  });

  it('name documents that they would leave out', async () => {
    await rendered('nameless');
    await open(inspectionPath('nameless', 'report'));
    const dialog = await openForm();
    await dialog.getByLabel('Reason').fill('The guide was missing');
    await dialog.getByRole('button', { name: 'Add a document' }).click();
    await dialog.getByLabel('Note on document 1').fill('handed over by email');
    await dialog.getByRole('button', { name: 'Create the edition' }).click();
    await dialog.getByText('Enter the name of each document.').waitFor();
    await expectAccessible(page());
    await dialog.getByLabel('Document 1', { exact: true }).fill('How to rent guide');
    await dialog.getByRole('button', { name: 'Create the edition' }).click();
    await dialog.getByRole('heading', { name: 'Edition 2' }).waitFor();
  });

  it('report that another edition was made meanwhile, retain the input, and continue with the newest', async () => {
    const first = await rendered('raced');
    await open(inspectionPath('raced', 'report'));
    const dialog = await openForm();
    await dialog.getByLabel('Reason').fill('Mine');
    await dialog.getByLabel('Company', { exact: true }).fill('Lettings & Sons');
    const path = `pdf/reports/${first}/editions`;
    expect((await client.admin('POST', path, { reason: 'Theirs', meta: { tenant: 'Bob' } })).status).toBe(
      200,
    );
    const create = dialog.getByRole('button', { name: 'Create the edition' });
    const release = await holdRequests(page(), '**/pdf/reports/*/details');
    await create.click();
    await dialog.getByText('already_replaced').waitFor();
    await dialog.getByText('now edition 2: Theirs').waitFor();
    // The changes are compared with the details of the newest edition.
    await expectSoon(() => create.getAttribute('aria-disabled')).toBe('true');
    release();
    await expectAccessible(page());
    await expectSoon(() => dialog.getByLabel('Company', { exact: true }).inputValue()).toBe(
      'Lettings & Sons',
    );
    await create.click();
    await dialog.getByRole('heading', { name: 'Edition 3' }).waitFor();
    const link = await dialog.getByRole('link', { name: 'Open the PDF' }).getAttribute('href');
    const text = textOf(await (await fetch(link!)).arrayBuffer());
    for (const printed of ['Edition 3', 'Lettings & Sons', 'Bob']) expect(text).toContain(printed);
  });
});
