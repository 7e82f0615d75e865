import { execFileSync } from 'node:child_process';
import { expectAccessible } from './support/accessibility.js';
import { holds, PHONE } from './support/browser.js';
import { consoleFixture } from './support/console.js';
import { expectSoon } from './support/expect-soon.js';
import { inspectionPath, inspectionsPage, picture } from './support/inspections-page.js';
import { describeInBrowser } from './support/page-fixture.js';
import { samplePhotograph } from './support/sample-photographs.js';

describeInBrowser('reports in the console', () => {
  const fixture = consoleFixture({ env: { SAMPLES: 'on', RENDERS_PER_MINUTE: '1000' } });
  const { client, open, keyDialog, giveKey, refuseKeyOnce } = fixture;
  const { capture, choose } = inspectionsPage(fixture);

  const textOf = (pdf: ArrayBuffer): string =>
    execFileSync('pdftotext', ['-layout', '-', '-'], { input: new Uint8Array(pdf), encoding: 'utf8' });

  it('makes a report from the photographs of a phone', async () => {
    const { page } = await open('/console/inspections', { browser: PHONE });
    await page.getByRole('button', { name: 'New inspection' }).click();
    const dialog = page.getByRole('dialog', { name: 'New inspection' });
    await dialog.getByText('Inspection assistant').first().waitFor();
    await expectAccessible(page);
    await dialog.getByLabel('Session id', { exact: true }).fill('phone 12/7 #ü');
    await dialog.getByRole('button', { name: 'Start' }).click();
    await page.getByText('5 of 5 outstanding').waitFor();
    await page.getByRole('button', { name: 'Take a photograph' }).waitFor();
    await expectAccessible(page);
    await expectSoon(() => page.evaluate('document.documentElement.scrollWidth')).toBe(390);

    await page.getByLabel('Area', { exact: true }).fill('Utility Room');
    await choose(['kitchen-1', 'kitchen-2-sink'].map(samplePhotograph));
    await page.getByText('2 photographs recorded.', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Gas Meter' }).click();
    await choose([samplePhotograph('gas-meter')]);
    await page.getByText('3 photographs recorded.', { exact: true }).waitFor();
    await page.getByText('4 of 5 outstanding').waitFor();
    await page.getByRole('button', { name: 'Hallway', exact: true }).click();
    await page.getByLabel('Remark on Hallway').fill('Scuff beside the door');
    await page.getByRole('button', { name: 'Record the remark' }).click();
    await holds(page, `document.querySelector('.remark-form textarea').value === ''`);

    await page.getByRole('button', { name: 'Go to the report' }).click();
    await page.getByLabel('Property number').fill('12A');
    await page.getByLabel('Address').fill('12A Phone Street, Leeds');
    await page.getByLabel('Postcode').fill('LS1 4AP');
    await page.getByLabel('Inspector').fill('Duty Inspector');
    await page.getByText('Water Meter', { exact: true }).last().click();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Render the report' }).click();
    const report = page.getByRole('region', { name: 'The report' });
    await report.getByText('12A LS1 4AP.pdf').first().waitFor();
    await expectAccessible(page);
    await expectSoon(() => report.locator('iframe').count()).toBe(0);

    const answer = await fetch((await report.getByRole('link').first().getAttribute('href'))!);
    expect(answer.headers.get('content-disposition')).toMatch(/^inline; /);
    const text = textOf(await answer.arrayBuffer());
    for (const printed of [
      'Check-In Inspection Report',
      '12A Phone Street, Leeds',
      'Utility Room',
      'Gas Meter',
      'Water Meter',
      'Not available — reported by the inspector.',
      'Duty Inspector',
    ])
      expect(text).toContain(printed);
    const saved = page.waitForEvent('download');
    await report.getByRole('button', { name: /^Download/ }).click();
    await expectSoon(async () => (await saved).suggestedFilename()).toMatch(/^\d{8} 12A LS1 4AP\.pdf$/);
  });

  it('retains the form through a refused report and a refused key, then makes and lists the report', async () => {
    await capture('refused', { area: 'Kitchen', photographs: [await picture()] });
    const { page } = await open(inspectionPath('refused', 'report'));
    await page.getByLabel('Address').fill('1 Kept Street');
    await page.getByText('Only when complete').click();
    await page.getByRole('button', { name: 'Render the report' }).click();
    await page.getByRole('alert').getByText('Electricity Meter, Gas Meter').waitFor();
    await page.getByText('No photograph was claimed.').waitFor();
    await expectAccessible(page);
    await page.reload();
    await holds(
      page,
      `[...document.querySelectorAll('textarea')].some(({ value }) => value === '1 Kept Street')`,
    );
    await page.getByText('Leave out missing areas').click();
    await refuseKeyOnce('**/api/v1/pdf/render');
    await page.getByRole('button', { name: 'Render the report' }).click();
    await keyDialog().getByText('Nothing is lost').waitFor();
    await giveKey();
    const report = page.getByRole('region', { name: 'The report' });
    await report.waitFor();
    await expectSoon(() => page.getByLabel('Address').inputValue()).toBe('1 Kept Street');
    const viewer = await page.evaluate<boolean>('navigator.pdfViewerEnabled');
    if (viewer) await report.locator('iframe[src^="blob:"]').waitFor();
    const past = page.getByRole('region', { name: 'Reports', exact: true });
    await past.getByText('1 photograph').waitFor();
    await past.getByRole('button', { name: /^Redraw/ }).click();
    await past.getByText('Redrawn: the bytes are identical.').waitFor();
    await page.getByText('There are no new photographs.').waitFor();
    await page.getByRole('button', { name: 'Render the report' }).click();
    await page.getByText('so no report was created').waitFor();

    await page.getByRole('tab', { name: /Photographs/ }).click();
    await page.getByRole('button', { name: /Open the photograph/ }).click();
    await page
      .getByRole('dialog')
      .getByRole('link', { name: /\.pdf$/ })
      .waitFor();
  });

  it('shows a preview, which claims nothing, before the report is made', async () => {
    await capture('previewed', { area: 'Kitchen', photographs: [await picture()] });
    const { page } = await open(inspectionPath('previewed', 'report'));
    await page.getByLabel('Address').fill('2 Draft Street');
    await page.getByRole('button', { name: 'Preview' }).click();
    const preview = page.getByRole('region', { name: 'The preview' });
    await preview.getByText('no photograph was claimed').waitFor();
    await expectAccessible(page);
    await page.getByText('1 photograph will go into the report.').waitFor();
    const link = await preview.getByRole('link', { name: 'Open the PDF' }).getAttribute('href');
    const text = textOf(await (await fetch(link!)).arrayBuffer());
    expect(text).toContain('Draft');
    expect(text).toContain('2 Draft Street');
    await expectSoon(() => preview.getByRole('button', { name: /^Download/ }).count()).toBe(0);
    await page.getByRole('button', { name: 'Render the report' }).click();
    await page.getByRole('region', { name: 'The report' }).waitFor();
    await page.getByText('There are no new photographs.').waitFor();
  });

  it('shows the progress of a report, also after a reload', async () => {
    await capture('progress', { area: 'Kitchen', photographs: [await picture()] });
    const { page } = await open(inspectionPath('progress', 'report'));
    const frames = [{ event: 'progress', data: { phase: 'drawing', page: 3, pages: 12, photographs: 5 } }];
    await page.route('**/api/v1/pdf/renders/*', (route) =>
      route.fulfill({
        contentType: 'text/event-stream',
        body: frames.map((frame) => `data: ${JSON.stringify(frame)}\n\n`).join(''),
      }),
    );
    await page.getByRole('button', { name: 'Render the report' }).click();
    await page.getByText('Drawing page 3 of 12').waitFor();
    await expectAccessible(page);
    await page.reload();
    await page.getByText('Drawing page 3 of 12').waitFor();
    await page.unrouteAll();
    await page.getByRole('region', { name: 'The report' }).waitFor();
  });

  it('makes a report of a given size, shows an invalid one at its field, and retains it in the next edition', async () => {
    await capture('sized', { area: 'Kitchen', photographs: [await picture()] });
    const { page } = await open(inspectionPath('sized', 'report'));
    const size = page.getByRole('textbox', { name: 'Maximum file size, in MB' });
    await size.fill('small');
    await page.getByRole('button', { name: 'Render the report' }).click();
    await page.getByText('Enter a number of megabytes, such as 14.').waitFor();
    await size.fill('2001');
    await page.getByRole('button', { name: 'Render the report' }).click();
    const refused = page.getByText(
      /^The service refused this: the size in bytes must be .* from 1 to 2000000000/,
    );
    await refused.waitFor();
    await expectAccessible(page);
    await size.fill('0.011');
    await expectSoon(() => refused.count()).toBe(0);
    await page.getByRole('button', { name: 'Render the report' }).click();
    const report = page.getByRole('region', { name: 'The report' });
    await report
      .getByText(/ more than maxBytes allows/)
      .first()
      .waitFor();
    await page.getByRole('button', { name: /^New edition of/ }).click();
    const dialog = page.getByRole('dialog', { name: /^New edition of/ });
    await expectSoon(() => dialog.getByLabel('Maximum file size, in MB').inputValue()).toBe('0.011');
    await expectAccessible(page);
  });

  it('compares two reports in a third', async () => {
    for (const reportType of ['checkin', 'checkout']) {
      await capture('compared', { area: 'Kitchen', photographs: [await picture()] });
      const source = {
        type: 'inspection',
        sessionId: 'compared',
        meta: { reportType, propertyNo: reportType },
      };
      await client.send('POST', '/api/v1/pdf/render', { templateId: 'inspection', source });
    }
    const { page, go } = await open(inspectionPath('compared', 'report'));
    await page.getByRole('button', { name: 'Compare two' }).click();
    const dialog = page.getByRole('dialog', { name: 'Compare two reports' });
    await dialog
      .getByText(/checkin\.pdf/)
      .first()
      .waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Compare', exact: true }).click();
    const link = dialog.getByRole('link', { name: /^Open/ });
    await link.waitFor();
    const text = textOf(await (await fetch((await link.getAttribute('href'))!)).arrayBuffer());
    expect(text).toContain('Kitchen');
    await dialog.getByRole('button', { name: 'Close' }).click();
    await holds(page, `document.querySelectorAll('.past-report').length === 3`);
    await go('/console/inspections');
    await page
      .getByRole('row', { name: /compared/ })
      .getByText(/^\d{8} checkout\.pdf$/)
      .waitFor();
    await expectAccessible(page);
  });
});
