/** Runs before all suites. Jest does not compile this file. */
require('./ts-register.cjs');
// npm writes compiled scripts into the temporary folder of a test that calls it on Node 24.
process.env.NODE_DISABLE_COMPILE_CACHE = '1';
const { prepareRun } = require('./run-preparation.ts');

module.exports = prepareRun;
