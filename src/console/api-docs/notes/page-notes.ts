import { BYTES, type RouteNote, type RouteNotes } from '../../../api/route-note.js';

const consolePage = (summary: string): RouteNote => ({
  summary,
  description: 'The same page under every address, with no data in it: its calls carry the admin key.',
  errors: ['pages_not_built'],
  answers: { 200: { description: 'The page.', content: { 'text/html': { type: 'string' } } } },
});

const icon = (size: string): RouteNote => ({
  summary: `The icon of the hosted chat page as an app, ${size}`,
  errors: ['pages_not_built'],
  answers: { 200: { description: 'The picture.', content: { 'image/png': BYTES } } },
});

/** Routes that browsers open. */
export const pageNotes: RouteNotes = {
  'GET /chat/{flowId}': {
    summary: 'The hosted chat page: the share link of a flow',
    description:
      'Answered only while `access.public` of the flow is true. Its calls carry `X-Share-Link: true`; the page of a flow with a key asks for the key. What the page of another site loads by itself or puts in a frame is refused alike for every id. A browser that is refused gets a page, under the same status.',
    errors: ['share_link_not_public', 'pages_not_built'],
    answers: { 200: { description: 'The page.', content: { 'text/html': { type: 'string' } } } },
  },
  'GET /console': consolePage('The console: executions, flows, inspections and access'),
  'GET /console/{area}': consolePage('An area of the console'),
  'GET /console/{area}/{item}': consolePage('One thing in an area of the console'),
  'GET /console/{area}/{item}/{part}': consolePage('A part of one thing in an area of the console'),
  'GET /chat/{flowId}/app.webmanifest': {
    summary: 'The hosted chat page as an app (Web App Manifest)',
    errors: ['share_link_not_public'],
    answers: {
      200: { description: 'The manifest.', content: { 'application/manifest+json': { type: 'object' } } },
    },
  },
  'GET /chat/offline.html': {
    summary: 'The offline page of the hosted chat page',
    errors: ['pages_not_built'],
    answers: { 200: { description: 'The page.', content: { 'text/html': { type: 'string' } } } },
  },
  'GET /chat/worker.js': {
    summary: 'The service worker of the hosted chat page',
    description: 'Keeps the files of the page itself, never an answer of `/api/`.',
    errors: ['pages_not_built'],
    answers: { 200: { description: 'The script.', content: { 'text/javascript': { type: 'string' } } } },
  },
  'GET /chat/icon-192.png': icon('192 × 192'),
  'GET /chat/icon-512.png': icon('512 × 512'),
  'GET /chat/icon-maskable.png': icon('512 × 512, to be cut to a shape'),
  'GET /chat/{flowId}/logo': {
    summary: 'The logo on the hosted chat page',
    description:
      '`chat.brand.logo` of the flow, from this service: nothing is fetched, and an SVG runs nothing.',
    errors: ['share_link_not_public', 'not_found'],
    answers: { 200: { description: 'The picture.', content: { 'image/*': BYTES } } },
  },
  'GET /verify': {
    summary: 'The page that checks a report in the browser',
    description:
      'The file is sent nowhere. It trusts the key of this service, and those whose fingerprint the reader types.',
    errors: ['pages_not_built'],
    answers: { 200: { description: 'The page.', content: { 'text/html': { type: 'string' } } } },
  },
  'GET /': {
    summary: 'The front page',
    errors: ['pages_not_built'],
    answers: { 200: { description: 'What runs here.', content: { 'text/html': { type: 'string' } } } },
  },
  'GET /docs': {
    summary: 'The API documentation as a page',
    errors: ['pages_not_built'],
    answers: { 200: { description: 'The page.', content: { 'text/html': { type: 'string' } } } },
  },
  'GET /web/assets/{name}': {
    summary: 'Scripts, styles and pictures of the pages',
    answers: { 200: { description: 'The file.' } },
  },
};
