/** Builds what is missing in dist/ or older than its sources, so that `npm start` alone is enough. */
import { outdated } from './outdated.mjs';

if (outdated('main.js', 'src')) {
  console.log('Building …');
  await import('./build.mjs');
} else {
  await import('./ensure-web.mjs');
}
