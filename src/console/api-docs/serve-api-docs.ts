import type { NestExpressApplication } from '@nestjs/platform-express';
import { CompressedFile } from './compressed-file.js';

/** Serves `GET /openapi.json` (contract section 8), which is built at the first request. */
export function serveApiDocs(app: NestExpressApplication): void {
  const file = new CompressedFile('application/json', async () => {
    const { describeApi } = await import('./api-description.js');
    return Buffer.from(JSON.stringify(describeApi(app)));
  });
  app
    .getHttpAdapter()
    .getInstance()
    .get('/openapi.json', (request, response, next) => {
      file.send(request, response).catch(next);
    });
}
