import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expectAccessible } from './support/accessibility.js';
import { DESK, PHONE } from './support/browser.js';
import { consoleFixture } from './support/console.js';
import { expectSoon } from './support/expect-soon.js';
import { holdRequests } from './support/hold-requests.js';
import { FLOW, inspectionPath, inspectionsPage, picture } from './support/inspections-page.js';
import { describeInBrowser } from './support/page-fixture.js';
import { readPdf } from './support/read-pdf.js';

const address = '14 Acacia Avenue, Leeds LS1 4AP';

describeInBrowser('the details of an inspection in the console', () => {
  const fixture = consoleFixture({ env: { SAMPLES: 'on' } });
  const { client, open } = fixture;
  const { capture } = inspectionsPage(fixture);
  const at = (id: string) => `inspection/sessions/${id}/details?flowId=${FLOW}`;
  const storedDetails = async (id: string) => (await client.admin('GET', at(id))).body.details as object;

  it.each([
    ['a desk', DESK],
    ['a phone', PHONE],
  ])("fill in the report's form, on %s, and are saved from there", async (_, browser) => {
    const id = randomUUID();
    await client.admin('PATCH', at(id), {
      address,
      tenant: 'Jo',
      reportType: 'checkout',
      skippedAreas: 'gas-meter',
      areaComments: { Hall: ['Worn'] },
    });
    const { page } = await open(inspectionPath(id, 'report'), { browser });
    await page.getByText('Details saved.').waitFor();
    await expectSoon(() => page.getByLabel('Address').inputValue()).toBe(address);
    await expectSoon(() => page.getByLabel('Comment 1', { exact: true }).inputValue()).toBe('Worn');
    await page.getByLabel('Inspector').fill('Zoë');
    await page.getByRole('textbox', { name: 'Tenant' }).fill('');
    await page.getByText('Details not saved yet.').waitFor();
    await page.getByText('Overview, tenancy, visit and documents').click();
    await page.getByLabel('Tenancy start').fill('2025-11-03');
    await page.getByRole('button', { name: 'Add a document' }).click();
    await page.getByLabel('Document 1', { exact: true }).fill('EPC');
    await page.getByLabel('Present', { exact: true }).fill('Jo\nAnn');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Save details' }).click();
    await page.getByText('Details saved.').waitFor();
    expect(await storedDetails(id)).toEqual({
      address,
      assessor: 'Zoë',
      reportType: 'checkout',
      tenancy: { start: '2025-11-03' },
      present: ['Jo', 'Ann'],
      documents: [{ kind: 'EPC' }],
      skippedAreas: 'gas-meter',
      areaComments: { Hall: ['Worn'] },
    });
    await expectSoon(() => page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  });

  it('are neither saved nor printed before the stored ones are known, which the form would replace', async () => {
    const id = randomUUID();
    await capture(id, { area: 'Hall', photographs: [await picture()] });
    const keyDetails = { numberOfKeys: '2', takenFrom: 'The office' };
    await client.admin('PATCH', at(id), { reportType: 'checkout', keyDetails });
    const { page, go } = await open('/console/inspections');
    const release = await holdRequests(page, '**/details?*');
    await go(inspectionPath(id, 'report'));
    await page.getByText('Keys, coordinate and logo').click();
    await page.getByLabel('Keys handed to').fill('Jo');
    await page.getByLabel('Inspector').press('Enter');
    for (const name of ['Save details', 'Preview', 'Render the report'])
      await expectSoon(() => page.getByRole('button', { name, exact: true }).isDisabled()).toBe(true);
    release();
    await page.getByRole('button', { name: 'Save details' }).click();
    await page.getByText('Details saved.').waitFor();
    expect(await storedDetails(id)).toEqual({
      reportType: 'checkout',
      keyDetails: { ...keyDetails, handedTo: 'Jo' },
    });
    await page.getByRole('button', { name: 'Render the report' }).click();
    await page.getByRole('region', { name: 'The report' }).waitFor();
  });

  it('are printed by the report, except cleared fields, and their comments once', async () => {
    const id = randomUUID();
    await capture(id, { area: 'Hall', photographs: [await picture()] });
    await client.admin('PATCH', at(id), { address, postcode: 'LS1 4AP', areaComments: { Hall: ['Worn'] } });
    const { page } = await open(inspectionPath(id, 'report'));
    await page.getByRole('heading', { level: 1 }).getByText(address).waitFor();
    await page.getByText('Details saved.').waitFor();
    await page.getByLabel('Postcode').fill('');
    await page.getByRole('button', { name: 'Render the report' }).click();
    await page.getByRole('region', { name: 'The report' }).waitFor();
    const { body } = await client.admin('GET', `pdf/reports?sessionId=${id}`);
    expect(body.data[0].filename).toMatch(/^\d{8}\.pdf$/);
    await page.getByLabel('Comment 1', { exact: true }).waitFor({ state: 'detached' });
    expect(await storedDetails(id)).toEqual({ address, postcode: 'LS1 4AP' });
  });

  it('offer the report of the check-in at a check-out of the same postcode', async () => {
    const [checkIn, checkOut] = [randomUUID(), randomUUID()];
    const details = { address: '7 Canal Walk', postcode: 'HX7 8AB' };
    await capture(checkIn, { area: 'Hall', photographs: [await picture()] });
    await client.admin('PATCH', at(checkIn), details);
    const source = { type: 'inspection', sessionId: checkIn, flowId: FLOW, meta: { reportType: 'checkin' } };
    const { body } = await client.admin('POST', 'pdf/render', { templateId: 'inspection', source });
    await client.admin('PATCH', at(checkOut), { ...details, reportType: 'checkout' });
    const { page } = await open(inspectionPath(checkOut, 'report'));
    await page.getByRole('button', { name: /^Use the report of .*7 Canal Walk$/ }).click();
    await expectSoon(() => page.getByLabel('Check-in report', { exact: true }).inputValue()).toBe(
      body.file.id,
    );
    await page.getByRole('button', { name: 'Save details' }).click();
    await page.getByText('Details saved.').waitFor();
    expect(await storedDetails(checkOut)).toMatchObject({ previousReport: body.file.id });
    await expectAccessible(page);
  });

  it('name the inspection in the list, which is searched by address', async () => {
    const [mine, other] = [randomUUID(), randomUUID()];
    await client.admin('PATCH', at(mine), { address, assessor: 'Zoë <b>' });
    await capture(other, { area: 'Hall' });
    const { page } = await open('/console/inspections');
    await page.getByRole('link', { name: other }).waitFor();
    await page.getByRole('searchbox', { name: 'Search inspections' }).fill('acacia');
    await page.getByRole('link', { name: other }).waitFor({ state: 'detached' });
    await page.getByText(`${mine} · Zoë <b>`).waitFor();
    await expectAccessible(page);
    await page
      .getByRole('row', { name: new RegExp(mine) })
      .getByRole('link', { name: address })
      .click();
    await page.waitForURL(new RegExp(`/console/inspections/${mine}`));
  });

  it.each([
    ['a desk', DESK],
    ['a phone', PHONE],
  ])('show the cover before it is made, on %s, and warn of another type', async (_, browser) => {
    const id = randomUUID();
    await capture(id, { area: 'Hall', photographs: [await picture(), await picture()] });
    await client.admin('PATCH', at(id), { address, reportType: 'checkout' });
    const { page } = await open(inspectionPath(id, 'report'), { browser });
    const cover = page.getByRole('region', { name: 'The cover' });
    await cover.getByText('Check-Out Inspection Report').waitFor();
    await cover.getByText(address).waitFor();
    await cover.getByText(', 2 photographs').waitFor();
    await expectSoon(() => cover.getByRole('alert').count()).toBe(0);
    await page.getByRole('button', { name: /Check-out/ }).click();
    await page.getByRole('option', { name: 'Check-in' }).click();
    await cover.getByText('Check-In Inspection Report', { exact: true }).waitFor();
    await cover.getByRole('alert').getByText('says Check-Out Inspection Report').waitFor();
    await page.getByLabel('Address').fill('');
    await cover.getByText('No address').waitFor();
    await page.getByLabel('Address').fill('2 High Street');
    await expectAccessible(page);
    const [title, , date] = (await cover.getByRole('paragraph').allInnerTexts()).map((line) => line.trim());
    await page.getByRole('button', { name: 'Render the report' }).click();
    await page.getByRole('region', { name: 'The report' }).waitFor();
    const { body } = await client.admin('GET', `pdf/reports?sessionId=${id}`);
    const folder = mkdtempSync(join(tmpdir(), 'console-details-'));
    const file = join(folder, 'report.pdf');
    writeFileSync(file, Buffer.from(await (await fetch(body.data[0].url as string)).arrayBuffer()));
    const printed = readPdf(file).text;
    rmSync(folder, { recursive: true });
    for (const line of [title, '2 High Street', date?.split(',')[0]]) expect(printed).toContain(line);
  });
});
