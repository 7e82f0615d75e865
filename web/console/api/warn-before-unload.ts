/** Makes the browser ask before the page is closed or reloaded while `losesWork` returns true. */
export function warnBeforeUnload(losesWork: () => boolean): void {
  globalThis.addEventListener?.('beforeunload', (event) => {
    if (losesWork()) event.preventDefault();
  });
}
