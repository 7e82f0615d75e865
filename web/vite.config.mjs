import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const path = (name) => fileURLToPath(new URL(name, import.meta.url));

/** The modules that several scripts of a page load, in few files: on a slow connection each costs a request. */
const CHUNKS = [
  { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\// },
  {
    name: 'common',
    test: /web\/common\/(answer|answer-context|come-back|event-stream|browser-storage|line-icon|pause|send-form|size-in-words|unique-id|warning)\.tsx?$/,
  },
];

/** The small modules that at least four scripts of the console load. */
const OF_THE_CONSOLE = { name: 'shared', minShareCount: 4, maxModuleSize: 12_000 };

/** The pages of each build, which share scripts with each other alone. */
const PAGES = { chat: ['chat'], console: ['console'], production: ['docs', 'problem', 'verify', 'welcome'] };

/** The chat page runs React's API on Preact, which a phone loads and starts in a fraction of the time. */
const PREACT = ['react-dom/client', 'react/jsx-runtime', 'react-dom', 'react'].map((name) => ({
  find: new RegExp(`^${name}$`),
  replacement: name.replace(/^react(-dom)?/, 'preact/compat'),
}));

/** The Markdown parser's table of named characters is larger than the parser. */
const ENTITIES = { find: /^entities$/, replacement: path('common/entities.ts') };

/**
 * Builds the pages under `/web/`, with separate scripts and styles, since the pages' policy allows nothing inline. The
 * mode names the pages.
 */
export default defineConfig(({ mode }) => ({
  root: path('.'),
  base: '/web/',
  publicDir: false,
  logLevel: 'warn',
  resolve: { alias: [ENTITIES, ...(mode === 'chat' ? PREACT : [])] },
  build: {
    outDir: path('../dist/web'),
    emptyOutDir: false,
    target: ['chrome109', 'firefox115', 'safari16'],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rollupOptions: {
      output:
        mode === 'chat'
          ? {}
          : { codeSplitting: { groups: mode === 'console' ? [...CHUNKS, OF_THE_CONSOLE] : CHUNKS } },
      onwarn: (warning, warn) => warning.code !== 'MODULE_LEVEL_DIRECTIVE' && warn(warning),
      input: PAGES[mode].map((page) => path(`${page}.html`)),
    },
  },
}));
