/** Sources import `./x.js`, as Node wants it; under jest the file that exists is `./x.ts`. */
module.exports = (request, options) => {
  if (/^\.{1,2}\//.test(request) && request.endsWith('.js') && !options.basedir.includes('node_modules')) {
    try {
      return options.defaultResolver(request.slice(0, -3) + '.ts', options);
    } catch {
      // A plain .js file beside it.
    }
  }
  return options.defaultResolver(request, options);
};
