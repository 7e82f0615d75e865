import { createRoot } from 'react-dom/client';
import { App } from './app.js';
import './chat.css';
import { fitViewport } from './fit-viewport.js';
import { loadViews } from './late-views.js';
import { wearBrand } from './start/brand.js';
import { NeverOpened } from './start/never-opened.js';
import { installPage } from './start/offline.js';
import { servedChat } from './start/served.js';
import { loadRich } from './turns/late-rich.js';

const served = servedChat();
if (served) {
  document.title = served.name;
  wearBrand(served.brand);
}
fitViewport();
const root = createRoot(document.getElementById('chat')!);
root.render(served ? <App served={served} /> : <NeverOpened />);

/** Loads what the first screen does not need, after the page, so that it does not compete for a slow connection. */
function later(): void {
  void loadRich();
  void loadViews();
  if (served) installPage(served);
}
if (document.readyState === 'complete') later();
else addEventListener('load', later, { once: true });
