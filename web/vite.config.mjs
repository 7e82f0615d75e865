import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const path = (name) => fileURLToPath(new URL(name, import.meta.url));

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
      onwarn: (warning, warn) => warning.code !== 'MODULE_LEVEL_DIRECTIVE' && warn(warning),
      input: ['chat', 'console', 'problem', 'welcome'].map((page) => path(`${page}.html`)),
    },
  },
});
