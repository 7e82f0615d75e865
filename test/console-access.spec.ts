import { randomUUID } from 'node:crypto';
import { expectAccessible } from './support/accessibility.js';
import { PHONE } from './support/browser.js';
import { consoleFixture } from './support/console.js';
import { expectSoon } from './support/expect-soon.js';
import { echoFlow } from './support/flows.js';
import { describeInBrowser } from './support/page-fixture.js';

const HOSTILE = '<img src=x onerror="document.title=1"> {{question}} \u202Ereversed';

describeInBrowser('access in the console', () => {
  const { client, open, page, row, dialog, press, giveKey, refuseKeyOnce } = consoleFixture({
    env: { TRUST_PROXY: '1' },
  });
  const question = (name: string) => page().getByRole('alertdialog', { name, exact: true });
  const call = (flowId: string, headers: Record<string, string> = {}) =>
    client.predict(flowId, { question: 'Hello' }, headers);

  describe('API keys', () => {
    it('are created, shown once, and not revoked by accident', async () => {
      await open('/console/access/blocks');
      await page().getByRole('link', { name: 'API keys', exact: true }).click();
      await page().getByRole('heading', { name: 'No API key yet' }).waitFor();
      await expectAccessible(page());
      await press('Create a key');
      await dialog('Create a key').getByRole('button', { name: 'Create the key' }).click();
      await dialog('Create a key').getByText('Enter a name.').waitFor();
      await dialog('Create a key').getByLabel('Name').fill('Website');
      await refuseKeyOnce('**/api/v1/api-keys');
      await page().keyboard.press('Enter');
      await giveKey();
      const shownKey = dialog('Your new key');
      const key = await shownKey.getByLabel('The key', { exact: true }).innerText();
      expect(key).toMatch(/^fk_.{43}$/);
      await expectAccessible(page());

      await page().keyboard.press('Escape');
      await shownKey.getByRole('alert').getByText('The key cannot be shown again').waitFor();
      await expectSoon(() => shownKey.getByLabel('The key', { exact: true }).innerText()).toBe(key);
      await shownKey.getByRole('button', { name: 'Not yet' }).click();
      await page().evaluate('history.back()');
      await shownKey.getByRole('alert').waitFor();
      await shownKey.getByRole('button', { name: 'Close anyway' }).click();
      await row('Website').getByText('No flow yet').waitFor();
      const { body } = await client.admin('GET', 'api-keys');
      expect(body.data).toHaveLength(1);

      const flow = await client.flow(echoFlow({ name: 'Keyed', access: { apiKeyId: body.data[0].id } }));
      expect((await call(flow, { authorization: `Bearer ${key}` })).status).toBe(200);
      const text = await page().evaluate<string>(
        'document.documentElement.outerHTML + JSON.stringify(sessionStorage)',
      );
      expect(text).not.toContain(key);
    });

    it('are revoked after naming the flows that this closes', async () => {
      const { body: key } = await client.admin('POST', 'api-keys', { name: HOSTILE });
      const flow = await client.flow(echoFlow({ name: 'Front desk', access: { apiKeyId: key.id } }));
      await open('/console/access/keys');
      await row(HOSTILE).getByRole('link', { name: 'Front desk' }).waitFor();
      await expectAccessible(page());
      await row(HOSTILE).getByRole('button').click();
      const confirmation = question('Revoke the key?');
      await confirmation.getByText('This flow is closed to everyone').waitFor();
      await confirmation.getByText('“Front desk”').waitFor();
      await expectAccessible(page());
      await confirmation.getByRole('button', { name: 'Revoke' }).click();
      await row(HOSTILE).waitFor({ state: 'detached' });
      expect((await call(flow, { authorization: `Bearer ${key.key}` })).status).toBe(401);
      await open('/console/access/limits');
      await row('Front desk').getByText('No one (key revoked)').waitFor();
      await expectSoon(() => page().title()).toBe('Access · Console');
    });
  });

  describe('address blocks', () => {
    it('appear by themselves, count down, and are lifted', async () => {
      await open('/console/access/blocks');
      await page().getByRole('heading', { name: 'No address is blocked' }).waitFor();
      await expectAccessible(page());
      const address = { 'X-Forwarded-For': '203.0.113.50' };
      const miss = () => call(randomUUID(), address);
      for (let n = 0; n < 3; n++) await miss();
      expect((await miss()).status).toBe(429);
      await row('203.0.113.50')
        .getByText(/^(59 min \d+ s|1 h 0 min)$/)
        .waitFor();
      await expectAccessible(page());
      const left = () => row('203.0.113.50').getByRole('cell').nth(2).innerText();
      const first = await left();
      while ((await left()) === first) await new Promise((resolve) => setTimeout(resolve, 100));
      await press('Lift the block of 203.0.113.50');
      await question('Lift the block?').getByRole('button', { name: 'Lift' }).click();
      await row('203.0.113.50').waitFor({ state: 'detached' });
      expect((await miss()).status).toBe(404);
    });
  });

  describe('credentials', () => {
    const SECRET = 'sk-never-shown-again';

    it('are added, replaced and deleted; their contents are never shown', async () => {
      await open('/console/access/credentials', { browser: PHONE });
      await press('Add a credential');
      const form = dialog('Add a credential');
      await form.getByLabel('Name', { exact: true }).fill(HOSTILE);
      await form.getByRole('button', { name: 'Save' }).click();
      await form.getByText('Required.').waitFor();
      await form.getByRole('textbox', { name: 'API key' }).fill('schlüssel');
      await form.getByRole('button', { name: 'Save' }).click();
      await form.getByText('must be visible ASCII characters').first().waitFor();
      await expectAccessible(page());
      await form.getByRole('textbox', { name: 'API key' }).fill(SECRET);
      await refuseKeyOnce('**/api/v1/credentials');
      await form.getByRole('button', { name: 'Save' }).click();
      await giveKey();
      await row(HOSTILE).waitFor();
      const [kept] = (await client.admin('GET', 'credentials')).body.data;
      await row(HOSTILE).getByText(kept.id).waitFor();
      await expectSoon(() => page().evaluate<string>('document.documentElement.outerHTML')).not.toContain(
        SECRET,
      );
      await expectAccessible(page());

      await row(HOSTILE).getByRole('button', { name: 'Replace' }).click();
      const replace = dialog('Replace the credential');
      await expectSoon(() => replace.getByRole('textbox', { name: 'API key' }).inputValue()).toBe('');
      await replace.getByRole('button', { name: 'Kind' }).click();
      await page().getByRole('option', { name: 'Header' }).click();
      await replace.getByLabel('Name', { exact: true }).fill('Register');
      await replace.getByLabel('Header name').fill('X-Api-Key');
      await replace.getByLabel('Value').fill('another');
      await replace.getByRole('button', { name: 'Replace' }).click();
      await row('Register').getByText('Header').waitFor();
      expect((await client.admin('GET', 'credentials')).body.data).toMatchObject([
        { id: kept.id, kind: 'header' },
      ]);

      await row('Register').getByRole('button', { name: 'Delete' }).click();
      await question('Delete the credential?').getByRole('button', { name: 'Delete' }).click();
      await page().getByRole('heading', { name: 'No credential yet' }).waitFor();
      expect((await client.admin('GET', 'credentials')).body.data).toEqual([]);
    });
  });
});
