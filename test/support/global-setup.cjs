/** Runs before all suites of a run; jest compiles nothing of what it loads here. */
require('./ts-register.cjs');
const { prepareRun } = require('./run-preparation.ts');

module.exports = prepareRun;
