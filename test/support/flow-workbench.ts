import type { Locator, Page } from 'playwright-core';

export const editor = (page: Page): Locator => page.getByRole('textbox', { name: 'Definition' });
export const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true });
export const node = (page: Page, label: string): Locator => page.locator('.graph-node', { hasText: label });

/** Opens the definition as text. */
export async function openText(page: Page): Promise<void> {
  const tab = page.getByRole('tab', { name: 'Definition' });
  if ((await tab.getAttribute('aria-selected')) !== 'true') await tab.click();
  await editor(page).waitFor();
}

export async function text(page: Page): Promise<string> {
  await openText(page);
  return await editor(page).innerText();
}

/** Replaces the definition in the editor. */
export async function write(page: Page, definition: unknown): Promise<void> {
  await openText(page);
  await editor(page).press('Control+a');
  await page.keyboard.insertText(
    typeof definition === 'string' ? definition : JSON.stringify(definition, null, 2),
  );
}

/** Counts pictures that a name could have injected into the page; those of the editor itself have no source. */
export const pictures = (page: Page): Promise<number> =>
  page.locator('main img:not(.cm-widgetBuffer)').count();

/** Makes the page read the flow again, as on each return to its window, if what it has is five seconds old. */
export const lookAgain = (page: Page): Promise<unknown> =>
  page.evaluate(`dispatchEvent(new Event('visibilitychange'))`);
