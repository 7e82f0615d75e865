import type { Locator, Page } from 'playwright-core';

export const editor = (page: Page): Locator => page.getByRole('textbox', { name: 'Definition' });
export const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true });
export const node = (page: Page, label: string): Locator => page.locator('.graph-node', { hasText: label });
export const text = (page: Page): Promise<string> => editor(page).innerText();

/** Writes another definition over the one that is there. */
export async function write(page: Page, definition: unknown): Promise<void> {
  await editor(page).press('Control+a');
  await page.keyboard.insertText(
    typeof definition === 'string' ? definition : JSON.stringify(definition, null, 2),
  );
}

/** Pictures that a name might have put into the page; the editor has empty ones of its own. */
export const pictures = (page: Page): Promise<number> =>
  page.locator('main img:not(.cm-widgetBuffer)').count();
