import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const path = (name) => fileURLToPath(new URL(name, import.meta.url));

/** React, and what both chat and console begin with. */
const CHUNKS = [
  { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\// },
  {
    name: 'common',
    test: /web\/common\/(answer|answer-context|come-back|event-stream|kept|line-icon|pause|send-form|size-in-words|unique-id|warning)\.tsx?$/,
  },
];

/** The pages, their scripts and styles apart (the pages' policy allows nothing inline), served under `/web/`. */
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
      // A file each for a few lines would wait for a connection of its own on a slow line.
      output: { codeSplitting: { groups: CHUNKS } },
      onwarn: (warning, warn) => warning.code !== 'MODULE_LEVEL_DIRECTIVE' && warn(warning),
      input: ['chat', 'console', 'docs', 'problem', 'verify', 'welcome'].map((page) => path(`${page}.html`)),
    },
  },
});
