/** Builds the service into dist/ and the web pages into dist/web, at the same time. */
import { buildServer } from './build-server.mjs';

await Promise.all([buildServer(), import('./build-web.mjs')]);
