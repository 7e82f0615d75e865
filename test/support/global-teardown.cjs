/** Runs after all suites in the same process as `global-setup`, whose registered compiler it uses. */
const { endRun } = require('./run-preparation.ts');

module.exports = endRun;
