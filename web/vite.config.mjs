import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const path = (name) => fileURLToPath(new URL(name, import.meta.url));

/** Three pages, their scripts and styles apart (the pages' policy allows nothing inline), served under `/web/`. */
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
    rollupOptions: { input: [path('chat.html'), path('problem.html'), path('welcome.html')] },
  },
});
