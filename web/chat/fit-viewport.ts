/**
 * Fits the page to the visual viewport. Some browsers (Safari on iOS) draw the on-screen keyboard over the page and report
 * it only there. A zoomed page is left alone.
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
