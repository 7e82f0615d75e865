import type { NestExpressApplication } from '@nestjs/platform-express';
import { static as assetsIn } from 'express';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';

/** Where the page's own script and styles come from: this service, so that its usual content policy holds. */
const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API – Flow predictions and inspection reports</title>
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="icon" type="image/png" href="/docs/favicon-32x32.png">
</head>
<body>
<div id="api"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

const start = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#api', deepLinking: true, validatorUrl: null, docExpansion: 'list', defaultModelsExpandDepth: 0, tryItOutEnabled: true });
`;

const ASSETS = /^\/(swagger-ui\.css|swagger-ui-bundle\.js|favicon-32x32\.png)$/;

/** `GET /openapi.json` and `GET /docs` (contract section 8). Nothing of them is built or read before it is asked for. */
export function serveApiDocs(app: NestExpressApplication): void {
  const http = app.getHttpAdapter().getInstance();
  let description: Promise<string> | undefined;
  const build = async () => JSON.stringify((await import('./api-description.js')).describeApi(app));
  http.get('/openapi.json', (_request, response, next) => {
    (description ??= build()).then((text) => response.type('application/json').send(text), next);
  });
  http.get('/docs', (_request, response) => {
    response.type('html').send(page);
  });
  http.get('/docs/start.js', (_request, response) => {
    response.type('text/javascript').send(start);
  });
  const folder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  const assets = assetsIn(folder, { index: false, maxAge: '1d' });
  http.use('/docs', (request, response, next) => {
    if (ASSETS.test(request.path)) assets(request, response, next);
    else next();
  });
}
