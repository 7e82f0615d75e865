/**
 * Lets a worker of a test `require` our TypeScript, with the compiler and the `.js` → `.ts` mapping of jest. Compiled files
 * are cached: with the compiler loaded, a picture's process would be too large to be reused. Loaded with `--require` (see
 * src/common/worker-file.ts); never part of the built service.
 */
const Module = require('node:module');
const { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const { dirname, join, resolve } = require('node:path');
const { threadId } = require('node:worker_threads');
const transformer = require('./swc-transformer.cjs');

const cache = join(__dirname, '..', '..', '.cache', 'compiled');

Module._extensions['.ts'] = (module, file) => module._compile(compiled(file), file);

function compiled(file) {
  const source = readFileSync(file, 'utf8');
  const stored = join(cache, transformer.getCacheKey(source, file));
  if (existsSync(stored)) return readFileSync(stored, 'utf8');
  const { code } = transformer.process(source, file);
  // Renamed when it is whole, because others read it.
  const draft = `${stored}.${process.pid}.${threadId}`;
  mkdirSync(cache, { recursive: true });
  writeFileSync(draft, code);
  renameSync(draft, stored);
  return code;
}

const resolveFilename = Module._resolveFilename;
Module._resolveFilename = function (request, parent, ...rest) {
  if (/^\.{1,2}\/.*\.js$/.test(request) && parent?.filename?.endsWith('.ts')) {
    const source = resolve(dirname(parent.filename), request.slice(0, -3) + '.ts');
    if (existsSync(source)) return source;
  }
  return resolveFilename.call(this, request, parent, ...rest);
};
