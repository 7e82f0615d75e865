import type { BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core';
import type { TestAppOptions } from './app.js';
import { DESK, watched } from './browser.js';
import { type PageFixture, pageFixture } from './page-fixture.js';

/** A console in a fresh browser context. */
export interface OpenConsole {
  page: Page;
  context: BrowserContext;
  /** Loads another address of the console. */
  go: (path: string) => Promise<void>;
}

interface ConsoleOptions {
  /** The service's own key by default; `null` for a browser without one. */
  key?: string | null;
  /** The service's address for the browser, if it differs. */
  url?: string;
  browser?: BrowserContextOptions;
}

/** The environment of console tests, and steps that work on any of its pages. */
export interface ConsoleFixture extends PageFixture {
  /** Opens the console at a path such as `/console/flows`, until the end of the test. */
  open: (path: string, options?: ConsoleOptions) => Promise<OpenConsole>;
  /** The page opened last. */
  page: () => Page;
  heading: (name: string) => Locator;
  /** The table row that contains these words. */
  row: (words: string) => Locator;
  dialog: (name: string) => Locator;
  press: (button: string) => Promise<void>;
  keyDialog: () => Locator;
  /** Enters the admin key when the console requests it: the service's own by default. */
  giveKey: (key?: string) => Promise<void>;
  /** Refuses the next call of an address as if the admin key had been changed. */
  refuseKeyOnce: (address: string) => Promise<unknown>;
}

/**
 * Registers a fixture for console tests. After each test it checks that no script failed and the policy refused
 * nothing.
 */
export function consoleFixture(options: TestAppOptions = {}): ConsoleFixture {
  const fixture = pageFixture(options);
  let shown: OpenConsole | undefined;
  let faults: string[] = [];
  afterEach(async () => {
    await shown?.context.close();
    shown = undefined;
    expect(faults.splice(0)).toEqual([]);
  });
  const open = async (path: string, given: ConsoleOptions = {}) => {
    const { key = fixture.service.adminKey, url = fixture.service.url, browser = DESK } = given;
    const context = await fixture.browser.newContext(browser);
    const page = await context.newPage();
    faults = watched(page);
    if (key !== null) await keepKey(page, key);
    const go = async (to: string) => void (await page.goto(url + to));
    shown = { page, context, go };
    await go(path);
    return shown;
  };
  const page = () => shown!.page;
  const dialog = (name: string) => page().getByRole('dialog', { name, exact: true });
  const keyDialog = () => dialog('Admin key');
  return Object.assign(fixture, {
    open,
    page,
    dialog,
    keyDialog,
    row: (words: string) => page().getByRole('row').filter({ hasText: words }),
    press: (button: string) => page().getByRole('button', { name: button, exact: true }).click(),
    heading: (name: string) => page().getByRole('heading', { level: 1, name, exact: true }),
    giveKey: async (key = fixture.service.adminKey) => {
      await keyDialog().getByLabel('Admin key', { exact: true }).fill(key);
      await keyDialog().getByRole('button', { name: 'Continue' }).click();
    },
    refuseKeyOnce: (address: string) =>
      page().route(
        address,
        (route) => route.fulfill({ status: 401, json: { code: 'invalid_admin_key', detail: 'No.' } }),
        { times: 1 },
      ),
  });
}

/** Stores the key in the tab from the beginning, until the page deletes it. */
async function keepKey(page: Page, key: string): Promise<void> {
  const stored = JSON.stringify(JSON.stringify(key));
  await page.addInitScript(
    `if (window === top && !sessionStorage.getItem('begun')) {
       sessionStorage.setItem('begun', '1');
       sessionStorage.setItem('console:admin-key', ${stored});
     }`,
  );
}
