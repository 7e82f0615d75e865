/**
 * Compiles our TypeScript and every pure-ESM dependency to CommonJS with swc, because jest on Node 20 cannot `require`
 * ES modules, which Nest 12 consists of. CommonJS files pass unchanged. Types are checked separately (`npm run types`).
 */
const { createHash } = require('node:crypto');
const { existsSync, readFileSync } = require('node:fs');
const { dirname, join } = require('node:path');

const moduleTypes = new Map();

/** The `type` of the nearest package.json with a name or a type, by Node's rule. */
function moduleTypeOf(directory) {
  if (moduleTypes.has(directory)) return moduleTypes.get(directory);
  const manifest = join(directory, 'package.json');
  let type;
  if (existsSync(manifest)) {
    const content = JSON.parse(readFileSync(manifest, 'utf8'));
    type = content.type ?? (content.name ? 'commonjs' : undefined);
  }
  const parent = dirname(directory);
  type ??= parent === directory ? 'commonjs' : moduleTypeOf(parent);
  moduleTypes.set(directory, type);
  return type;
}

const isTypeScript = (file) => /\.[cm]?tsx?$/.test(file);
const isEsm = (file) =>
  file.endsWith('.mjs') || (!file.endsWith('.cjs') && moduleTypeOf(dirname(file)) === 'module');
const version = createHash('sha256')
  .update(readFileSync(__filename))
  .update(require('@swc/core/package.json').version)
  .digest('hex');

module.exports = {
  getCacheKey: (source, file) =>
    createHash('sha256').update(`${version}\0${file}\0`).update(source).digest('hex'),
  process(source, file) {
    if (!isTypeScript(file) && !isEsm(file)) return { code: source };
    // Loaded with the first file to compile: it takes 25 MB of memory.
    return require('@swc/core').transformSync(source, {
      filename: file,
      swcrc: false,
      configFile: false,
      sourceMaps: 'inline',
      isModule: true,
      module: { type: 'commonjs', ignoreDynamic: false },
      jsc: {
        target: 'es2022',
        keepClassNames: true,
        parser: isTypeScript(file) ? { syntax: 'typescript', decorators: true } : { syntax: 'ecmascript' },
        transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
      },
    });
  },
};
