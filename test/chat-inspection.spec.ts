import { isDeepStrictEqual } from 'node:util';
import { expectAccessible } from './support/accessibility.js';
import { holds, PHONE, SMALL_PHONE } from './support/browser.js';
import { inspection, pictures } from './support/chat-inspection.js';
import { chatFixture, type ChatPage, published } from './support/chat-page.js';
import { eventually } from './support/eventually.js';
import { expectSoon } from './support/expect-soon.js';
import { echoFlow } from './support/flows.js';
import { holdRequests } from './support/hold-requests.js';
import { describeInBrowser } from './support/page-fixture.js';

const DETAILS = '**/inspection/sessions/*/details*';

describeInBrowser('the sheets of an inspection on the chat page', () => {
  const fixture = chatFixture({ env: { SAMPLES: 'on', INITIAL_CREDIT: '100000' } });
  const { client } = fixture;
  let chat: ChatPage;

  /** A chat with the sample flow that has reached the areas. */
  const begun = async (device = PHONE, type = 'check-in') => {
    chat = await fixture.visit(device);
    await chat.open('inspection-assistant', fixture.network.url);
    for (const words of ['1 Test Street, Leeds LS1 4AP', type, 'skip']) await sayAndWait(words);
  };
  const sayAndWait = async (words: string) => {
    await chat.idle();
    await chat.say(words);
    await chat.idle();
  };
  const photographed = async (...names: string[]) => {
    await chat.picker().setInputFiles(pictures(...names));
    await chat.ready(names.length === 1 ? '1 photo' : `${names.length} photos`);
    await chat.button('Send').click();
    await chat.idle();
  };
  const sheet = (name: string) => chat.page.getByRole('dialog', { name });
  const openSheet = async (name: 'Checklist' | 'Inspection details') => {
    await chat.button(name).click();
    await sheet(name).waitFor();
  };
  /** Opens the details, and waits until they are loaded. */
  const openDetails = async () => {
    await openSheet('Inspection details');
    await expectSoon(() => field('Postcode').inputValue()).toBe('LS1 4AP');
  };
  const close = () => chat.button('Close').click();
  const field = (name: string) => sheet('Inspection details').getByLabel(name, { exact: true });
  const chatId = () =>
    chat.page.evaluate<string>(
      `JSON.parse(localStorage.getItem('chat:' + location.pathname.split('/')[2] + ':chatId'))`,
    );
  const path = async (part: string) =>
    `inspection/sessions/${await chatId()}${part}?flowId=inspection-assistant`;
  const record = async () => (await client.admin('GET', await path('/details'))).body.details;
  const recorded = (members: object) =>
    eventually(async () => {
      const now = await record();
      return Object.entries(members).every(([name, value]) => isDeepStrictEqual(now[name], value));
    });

  describe('the record', () => {
    it('shows the details recorded in the chat, and saves changes member by member', async () => {
      await begun();
      await openDetails();
      await expectAccessible(chat.page);
      const sent: unknown[] = [];
      chat.page.on('request', (request) => {
        if (request.method() === 'PATCH') sent.push(request.postDataJSON());
      });
      await field('Tenant').fill('Jo Bloggs');
      await field('Company').fill('Lettings & Co');
      await field('Number of keys').fill('3');
      await field('Property number').fill('');
      await sheet('Inspection details').getByLabel('Check-out').check();
      await field('Guided self inspection').check();
      await recorded({
        tenant: 'Jo Bloggs',
        reportType: 'checkout',
        guided: true,
        keyDetails: { numberOfKeys: '3' },
      });
      expect(await record()).not.toHaveProperty('propertyNo');
      expect(sent).toEqual([
        { tenant: 'Jo Bloggs' },
        { company: 'Lettings & Co' },
        { keyDetails: { numberOfKeys: '3' } },
        { propertyNo: null },
        { reportType: 'checkout' },
        { guided: true },
      ]);
      await field('Inspector').fill('Sam');
      // Closes it during an edit.
      await chat.page.keyboard.press('Escape');
      await recorded({ assessor: 'Sam' });
      await sayAndWait('Kitchen');
      await photographed('a.jpg');
      await sayAndWait('finish');
      await chat.lastAnswer().getByText('here you said check-in, but the record').waitFor();
    });

    it('has the front matter of the report, whose parts are saved with their members, and the documents as rows', async () => {
      await begun();
      await openDetails();
      await field('Tenancy start').fill('2025-11-03');
      await field('Tenancy end').fill('2026-11-02');
      await field('Visit start').fill('2026-11-03T09:30');
      await field('Present').fill('Jo Bloggs\nAnn Other');
      await field('Furnishing').selectOption('part_furnished');
      await field('Decor').fill('Neutral');
      await field('Document 1').fill('EPC');
      await field('Date of document 1').fill('2026-01-02');
      await field('Document 2').fill('Gas safety record');
      await sheet('Inspection details').getByLabel('Check-out').check();
      await field('Check-in report').fill('https://x.example/reports/0199a1f2-7c3e-7b1a-9d55-3f1c2b7a9e40');
      await field('Decor').focus();
      await recorded({
        tenancy: { start: '2025-11-03', end: '2026-11-02' },
        visit: { start: '2026-11-03T09:30' },
        present: ['Jo Bloggs', 'Ann Other'],
        overview: { furnished: 'part_furnished', decor: 'Neutral' },
        documents: [{ kind: 'EPC', date: '2026-01-02' }, { kind: 'Gas safety record' }],
      });
      await sheet('Inspection details').getByText('There is no report of an inspection').waitFor();
      await expectAccessible(chat.page);
    });

    it('moves nothing while a field is saved, so that a tap hits its target', async () => {
      await begun();
      await openDetails();
      const release = await holdRequests(chat.page, DETAILS);
      const place = () => sheet('Inspection details').getByLabel('Check-out').boundingBox();
      await field('Property number').fill('15');
      // Waits until the sheet has risen.
      await chat.page.evaluate(
        'Promise.all(document.getAnimations().map(({ finished }) => finished)).then(() => null)',
      );
      const before = await place();
      await chat.page.keyboard.press('Tab');
      await sheet('Inspection details').getByText('Saving…').waitFor();
      expect(await place()).toEqual(before);
      release();
      await recorded({ propertyNo: '15' });
      await chat.page.unroute(DETAILS);
    });

    it('retains unsaved input through a reload, and saves it when it can', async () => {
      await begun();
      await openDetails();
      await chat.page.route(DETAILS, (route) => route.abort());
      await field('Tenant').fill('Jo Bloggs');
      await field('Company').focus();
      await sheet('Inspection details').getByText('Not saved. The service cannot be reached.').waitFor();
      await chat.page.unroute(DETAILS);
      await chat.page.reload();
      await openSheet('Inspection details');
      await recorded({ tenant: 'Jo Bloggs' });
      await expectSoon(() => field('Tenant').inputValue()).toBe('Jo Bloggs');
    });

    it('does not overwrite a concurrent change without confirmation', async () => {
      await begun();
      await openSheet('Inspection details');
      await field('Tenant').fill('Jo');
      await client.admin('PATCH', await path('/details'), { tenant: 'Sam', company: 'Lettings' });
      await field('Company').focus();
      await sheet('Inspection details').getByText('It has since been changed to “Sam”').waitFor();
      expect(await record()).toMatchObject({ tenant: 'Sam' });
      await expectAccessible(chat.page);
      await chat.button('Save mine').click();
      await recorded({ tenant: 'Jo', company: 'Lettings' });
      await expectSoon(() => field('Company').inputValue()).toBe('Lettings');
    });
  });

  describe('the checklist', () => {
    it('lists each area, opens one, and renames one', async () => {
      await begun();
      await sayAndWait('Kitchen');
      await photographed('a.jpg', 'b.jpg');
      await sayAndWait('remark: light scratch on the worktop');
      await sayAndWait('Boot room');
      await photographed('c.jpg');
      await openSheet('Checklist');
      const go = (name: RegExp) => sheet('Checklist').getByRole('button', { name });
      await go(/^Kitchen$/).waitFor();
      await go(/^2 photos/).waitFor();
      await go(/^Remark light scratch on the worktop/).waitFor();
      await expectAccessible(chat.page);
      await chat.button('Rename Boot room').click();
      await sheet('Checklist').getByLabel('New name for Boot room').fill('Zorg');
      await chat.button('Rename').click();
      await go(/^Zorg ?current area$/).waitFor();
      await go(/^Kitchen$/).click();
      await chat.lastAnswer().getByText('Kitchen: please send the photographs').waitFor();
      await chat.idle();
      await openSheet('Checklist');
      await go(/^Zorg/).click();
      await chat.lastAnswer().getByText('Zorg: please send the photographs').waitFor();
    });

    it('shows by icon and in words what is outstanding, done and not at the property', async () => {
      await begun();
      await sayAndWait('Gas meter');
      await photographed('a.jpg', 'b.jpg');
      await sayAndWait('the reading is 04713');
      await openSheet('Checklist');
      const row = (name: string) => sheet('Checklist').locator('.checklist-service', { hasText: name });
      const icon = (name: string) => row(name).locator('svg').first().innerHTML();
      /** Waits until the change is over: a press during it does nothing. */
      const atRest = () => sheet('Checklist').locator('.checklist[aria-busy="false"]').waitFor();
      await row('Gas Meter').getByText('Done: 2 photos, reading 04713').waitFor();
      await row('Keys').getByText('Outstanding').waitFor();
      await chat.button('Mark as not there: Keys').click();
      await row('Keys').getByText('Not at the property').waitFor();
      await atRest();
      await recorded({ skippedAreas: 'keys' });
      await holds(chat.page, `document.activeElement.ariaLabel === 'Undo: Keys is at the property'`);
      const icons = await Promise.all(['Gas Meter', 'Keys', 'Water Meter'].map(icon));
      expect(new Set(icons).size).toBe(3);
      await expectAccessible(chat.page);
      await chat.button('Mark as not there: Electricity Meter').click();
      await row('Electricity Meter').getByText('Not at the property').waitFor();
      await atRest();
      await recorded({ skippedAreas: 'keys|electricity-meter' });
      await chat.button('Undo: Keys is at the property').click();
      await row('Keys').getByText('Outstanding').waitFor();
      await recorded({ skippedAreas: 'electricity-meter' });
      await close();
      await sayAndWait('skip the water meter');
      await recorded({ skippedAreas: 'electricity-meter|water-meter' });
      await chat.lastAnswer().getByText('Still outstanding: Keys and Detectors').waitFor();
      await openSheet('Checklist');
      await row('Water Meter').getByText('Not at the property').waitFor();
      await row('Keys').getByRole('button', { name: /^Keys/ }).click();
      await chat.lastAnswer().getByText('Keys: please send the photographs').waitFor();
    });

    it('reports that the service is unreachable, and retries', async () => {
      await begun();
      await chat.page.route(DETAILS, (route) => route.abort());
      await openSheet('Checklist');
      await sheet('Checklist').getByText('The service cannot be reached.').waitFor();
      await chat.page.unroute(DETAILS);
      await chat.button('Try again').click();
      await sheet('Checklist').getByText('Nothing recorded yet.').waitFor();
    });
  });

  it('fit a small phone, with their buttons in the header', async () => {
    await begun(SMALL_PHONE);
    for (const name of ['Checklist', 'Inspection details'] as const) {
      await openSheet(name);
      await sheet(name)
        .getByText(/Check-in|Nothing recorded/)
        .first()
        .waitFor();
      await expectSoon(() => chat.page.evaluate('document.documentElement.scrollWidth')).toBe(320);
      const small = await chat.page.evaluate(
        `[...document.querySelectorAll('button')].filter(({ offsetHeight }) => offsetHeight > 0 && offsetHeight < 40)
          .map(({ textContent }) => textContent)`,
      );
      expect(small).toEqual([]);
      await close();
    }
  });

  it('exist for a keyed flow, also after its key was revoked, but not if a flow records no inspection', async () => {
    const made = await Promise.all(['old', 'new'].map((name) => client.admin('POST', 'api-keys', { name })));
    const [old, renewed] = made.map(({ body }) => body as { id: string; key: string });
    const flowOf = (apiKeyId: string) => inspection({ access: { public: true, apiKeyId } });
    const keyed = await client.flow(flowOf(old!.id));
    chat = await fixture.visit();
    await chat.open(keyed, fixture.service.url);
    const give = async (key: string) => {
      await chat.page.getByLabel('Key', { exact: true }).fill(key);
      await chat.button('Open the chat').click();
    };
    await give(old!.key);
    await sayAndWait('hello');
    await openSheet('Checklist');
    await sheet('Checklist').getByText('current area · nothing recorded yet').waitFor();
    await close();
    await openSheet('Inspection details');
    await client.admin('PUT', `flows/${keyed}`, flowOf(renewed!.id));
    await field('Tenant').fill('Jo Bloggs');
    await chat.page.keyboard.press('Tab');
    await give(renewed!.key);
    await openSheet('Inspection details');
    await eventually(async () => {
      const found = await client.admin('GET', `inspection/sessions?flowId=${keyed}`);
      const [session] = found.body.data as { sessionId: string }[];
      const details = `inspection/sessions/${session!.sessionId}/details?flowId=${keyed}`;
      return (await client.admin('GET', details)).body.details.tenant === 'Jo Bloggs';
    });
    await expectSoon(() => field('Tenant').inputValue()).toBe('Jo Bloggs');
    await chat.open(await client.flow(echoFlow(published)), fixture.service.url);
    await sayAndWait('hello');
    await expectSoon(() => chat.button('Checklist').count()).toBe(0);
  });
});
