/**
 * Keeps the page within what is seen of it while a keyboard is on the screen: some browsers (Safari on telephones) lay
 * the keyboard over the page and say so here alone. A page that was zoomed into stays as it is.
 */
export function fitViewport(): void {
  const viewport = globalThis.visualViewport;
  if (!viewport) return;
  const { style } = document.documentElement;
  const fit = () => {
    if (Math.abs(viewport.scale - 1) > 0.01) return;
    style.setProperty('--seen-height', `${viewport.height}px`);
    style.setProperty('--seen-top', `${viewport.offsetTop}px`);
  };
  viewport.addEventListener('resize', fit);
  viewport.addEventListener('scroll', fit);
}
