/** Runs before all suites. Jest does not compile this file. */
require('./ts-register.cjs');
const { prepareRun } = require('./run-preparation.ts');

module.exports = prepareRun;
