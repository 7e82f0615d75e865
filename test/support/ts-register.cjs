/**
 * Lets a worker thread of a test `require` our TypeScript, with the compiler and the `.js` → `.ts` mapping of jest.
 * Loaded with `--require` (see src/common/worker-file.ts); never part of the built service.
 */
const Module = require('node:module');
const { existsSync, readFileSync } = require('node:fs');
const { dirname, resolve } = require('node:path');
const transformer = require('./swc-transformer.cjs');

Module._extensions['.ts'] = (module, file) => {
  module._compile(transformer.process(readFileSync(file, 'utf8'), file).code, file);
};

const resolveFilename = Module._resolveFilename;
Module._resolveFilename = function (request, parent, ...rest) {
  if (/^\.{1,2}\/.*\.js$/.test(request) && parent?.filename?.endsWith('.ts')) {
    const source = resolve(dirname(parent.filename), request.slice(0, -3) + '.ts');
    if (existsSync(source)) return source;
  }
  return resolveFilename.call(this, request, parent, ...rest);
};
