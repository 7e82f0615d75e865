import { createRoot } from 'react-dom/client';
import { ApiPage } from './api-page.js';
import type { Description } from './description.js';
import './docs.css';

const root = createRoot(document.getElementById('docs')!);

async function load(): Promise<Description> {
  const response = await fetch('/openapi.json');
  if (!response.ok) throw new Error(String(response.status));
  return (await response.json()) as Description;
}

load().then(
  (description) => root.render(<ApiPage description={description} />),
  () =>
    root.render(
      <main className="failed">
        <h1>API documentation</h1>
        <p role="alert">The API description could not be loaded. Reload the page.</p>
      </main>,
    ),
);
