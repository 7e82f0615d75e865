/** Resolves `./x.js`, the form of imports that Node needs, to `./x.ts`, the file that exists under jest. */
module.exports = (request, options) => {
  if (/^\.{1,2}\//.test(request) && request.endsWith('.js') && !options.basedir.includes('node_modules')) {
    try {
      return options.defaultResolver(request.slice(0, -3) + '.ts', options);
    } catch {
      // A plain .js file exists.
    }
  }
  return options.defaultResolver(request, options);
};
