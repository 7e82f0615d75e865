/** Builds the web pages when they are missing in dist/web or older than web/. */
import { outdated } from './outdated.mjs';

if (outdated('web/built', 'web')) {
  console.log('Building the web pages …');
  await import('./build-web.mjs');
}
