/**
 * Lets a worker of a test `require` our TypeScript, with the compiler and the `.js` → `.ts` mapping of jest. Loaded with
 * `--require` (see src/common/worker-file.ts); never part of the built service.
 *
 * Compiled files are cached. A missing one is compiled, with everything it imports and all of `src`, by a process of its own,
 * which runs this file: the compiler crashes a process in which one thread after another loads it, and with it a picture's
 * process would be too large to be reused.
 */
const { spawnSync } = require('node:child_process');
const Module = require('node:module');
const { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const { dirname, join, resolve } = require('node:path');
const transformer = require('./swc-transformer.cjs');

const root = join(__dirname, '..', '..');
const cache = join(root, '.cache', 'compiled');

/** Returns where the compiled form of a file is stored. */
const storedAs = (source, file) => join(cache, transformer.getCacheKey(source, file));

/** Returns the TypeScript file behind a `./x.js`, if there is one. */
function sourceOf(request, importer) {
  if (!/^\.{1,2}\/.*\.js$/.test(request) || !importer.endsWith('.ts')) return undefined;
  const source = resolve(dirname(importer), request.slice(0, -3) + '.ts');
  return existsSync(source) ? source : undefined;
}

function compiled(file) {
  const stored = storedAs(readFileSync(file, 'utf8'), file);
  if (!existsSync(stored)) {
    const { status, signal, stderr } = spawnSync(process.execPath, [__filename, file], {
      encoding: 'utf8',
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    if (status !== 0) throw new Error(`${file} was not compiled (${signal ?? status}): ${stderr}`);
  }
  return readFileSync(stored, 'utf8');
}

/** Compiles a file and everything it imports at run time, unless it is cached. */
function compileWithImports(file, seen = new Set()) {
  if (seen.has(file)) return;
  seen.add(file);
  const source = readFileSync(file, 'utf8');
  const stored = storedAs(source, file);
  if (!existsSync(stored)) {
    // Renamed when it is whole, because others read it.
    const draft = `${stored}.${process.pid}`;
    writeFileSync(draft, transformer.process(source, file).code);
    renameSync(draft, stored);
  }
  for (const [, request] of readFileSync(stored, 'utf8').matchAll(/\brequire\("([^"]+)"\)/g)) {
    const imported = sourceOf(request, file);
    if (imported) compileWithImports(imported, seen);
  }
}

/** Modules that are loaded by a pattern, such as entities, would otherwise be compiled by a process each. */
function compileSources() {
  const src = join(root, 'src');
  const seen = new Set();
  for (const name of readdirSync(src, { recursive: true }))
    if (name.endsWith('.ts') && !name.endsWith('.spec.ts')) compileWithImports(join(src, name), seen);
}

function register() {
  Module._extensions['.ts'] = (module, file) => module._compile(compiled(file), file);
  const resolveFilename = Module._resolveFilename;
  Module._resolveFilename = function (request, parent, ...rest) {
    return sourceOf(request, parent?.filename ?? '') ?? resolveFilename.call(this, request, parent, ...rest);
  };
}

if (require.main === module) {
  mkdirSync(cache, { recursive: true });
  const file = process.argv[2];
  compileWithImports(file);
  if (file.startsWith(root)) compileSources();
} else register();
