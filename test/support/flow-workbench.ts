import type { Locator, Page } from 'playwright-core';

export const editor = (page: Page): Locator => page.getByRole('textbox', { name: 'Definition' });
export const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true });
export const node = (page: Page, label: string): Locator => page.locator('.graph-node', { hasText: label });
export const text = (page: Page): Promise<string> => editor(page).innerText();

/** Replaces the definition in the editor. */
export async function write(page: Page, definition: unknown): Promise<void> {
  await editor(page).press('Control+a');
  await page.keyboard.insertText(
    typeof definition === 'string' ? definition : JSON.stringify(definition, null, 2),
  );
}

/** Counts pictures that a name could have injected into the page; those of the editor itself have no source. */
export const pictures = (page: Page): Promise<number> =>
  page.locator('main img:not(.cm-widgetBuffer)').count();
