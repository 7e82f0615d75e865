import type { NestExpressApplication } from '@nestjs/platform-express';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { Metrics } from '../../common/http/metrics.js';
import { bytesOf } from '../../storage/text-files.js';
import { CompressedFile } from './compressed-file.js';

/** Where the page's own script and styles come from: this service, so that its usual content policy holds. */
const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>API – Flow predictions and inspection reports</title>
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="icon" type="image/png" href="/docs/favicon-32x32.png">
<script src="/docs/theme.js"></script>
</head>
<body>
<div id="api"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

/** Dark where the device is, from the first picture on; the styles wait for a class. */
const theme = `const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();
`;

const start = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#api', deepLinking: true, validatorUrl: null, docExpansion: 'list', defaultModelsExpandDepth: 0, tryItOutEnabled: true });
`;

const ASSETS = {
  'swagger-ui.css': 'css',
  'swagger-ui-bundle.js': 'text/javascript',
  'favicon-32x32.png': 'png',
};

const A_DAY = 'public, max-age=86400';

/** `GET /openapi.json` and `GET /docs` (contract section 8). Nothing of them is built or read before it is asked for. */
export function serveApiDocs(app: NestExpressApplication): void {
  const http = app.getHttpAdapter().getInstance();
  const describe = async () => {
    const { describeApi } = await import('./api-description.js');
    return Buffer.from(JSON.stringify(describeApi(app)));
  };
  const folder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  const files = new Map([['/openapi.json', new CompressedFile('application/json', describe)]]);
  for (const [name, type] of Object.entries(ASSETS))
    files.set(`/docs/${name}`, new CompressedFile(type, () => bytesOf(folder, name), A_DAY));
  for (const [path, file] of files)
    http.get(path, (request, response, next) => {
      file.send(request, response).catch(next);
    });
  app.get(Metrics).addArea('/docs');
  http.get('/docs', (_request, response) => {
    response.type('html').send(page);
  });
  http.get('/docs/start.js', (_request, response) => {
    response.type('text/javascript').send(start);
  });
  http.get('/docs/theme.js', (_request, response) => {
    response.type('text/javascript').send(theme);
  });
}
