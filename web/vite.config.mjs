import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const path = (name) => fileURLToPath(new URL(name, import.meta.url));

/** React, and the modules that both chat and console load first. */
const CHUNKS = [
  { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\// },
  {
    name: 'common',
    test: /web\/common\/(answer|answer-context|come-back|event-stream|browser-storage|line-icon|pause|send-form|size-in-words|unique-id|warning)\.tsx?$/,
  },
];

/** Builds the pages under `/web/`, with separate scripts and styles, since the pages' policy allows nothing inline. */
export default defineConfig({
  root: path('.'),
  base: '/web/',
  publicDir: false,
  logLevel: 'warn',
  build: {
    outDir: path('../dist/web'),
    emptyOutDir: true,
    target: ['chrome109', 'firefox115', 'safari16'],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rollupOptions: {
      // Small modules as separate files would each cost a request on a slow connection.
      output: { codeSplitting: { groups: CHUNKS } },
      onwarn: (warning, warn) => warning.code !== 'MODULE_LEVEL_DIRECTIVE' && warn(warning),
      input: ['chat', 'console', 'docs', 'problem', 'verify', 'welcome'].map((page) => path(`${page}.html`)),
    },
  },
});
