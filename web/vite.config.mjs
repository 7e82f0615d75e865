import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const path = (name) => fileURLToPath(new URL(name, import.meta.url));

/** The modules that several scripts of a page load, in few files. */
const CHUNKS = [
  { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\// },
  {
    name: 'common',
    test: /web\/common\/(answer|answer-context|come-back|event-stream|browser-storage|line-icon|pause|send-form|size-in-words|unique-id|warning)\.tsx?$/,
  },
];

/** The chat page runs React's API on Preact, which a phone loads and starts in a fraction of the time. */
const PREACT = ['react-dom/client', 'react/jsx-runtime', 'react-dom', 'react'].map((name) => ({
  find: new RegExp(`^${name}$`),
  replacement: name.replace(/^react(-dom)?/, 'preact/compat'),
}));

/**
 * Builds the pages under `/web/`, with separate scripts and styles, since the pages' policy allows nothing inline. Mode
 * `chat` builds the chat page, which shares no script with the others.
 */
export default defineConfig(({ mode }) => ({
  root: path('.'),
  base: '/web/',
  publicDir: false,
  logLevel: 'warn',
  resolve: { alias: mode === 'chat' ? PREACT : [] },
  build: {
    outDir: path('../dist/web'),
    emptyOutDir: false,
    target: ['chrome109', 'firefox115', 'safari16'],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rollupOptions: {
      // Small modules as separate files would each cost a request on a slow connection.
      output: mode === 'chat' ? {} : { codeSplitting: { groups: CHUNKS } },
      onwarn: (warning, warn) => warning.code !== 'MODULE_LEVEL_DIRECTIVE' && warn(warning),
      input: (mode === 'chat' ? ['chat'] : ['console', 'docs', 'problem', 'verify', 'welcome']).map((page) =>
        path(`${page}.html`),
      ),
    },
  },
}));
