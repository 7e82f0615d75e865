import type { Page, Route } from 'playwright-core';

/** Holds a page's requests of an address back until the function it returns is called; then they go on, or as given. */
export async function holdRequests(
  page: Page,
  address: string,
  goOn: (route: Route) => Promise<void> = (route) => route.continue(),
): Promise<() => void> {
  let release!: () => void;
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(address, async (route) => {
    await released;
    await goOn(route);
  });
  return release;
}
