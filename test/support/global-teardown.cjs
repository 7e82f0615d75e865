/** Runs after all suites, in the process of `global-setup`, whose registered compiler it uses. */
const { endRun } = require('./run-preparation.ts');

module.exports = endRun;
