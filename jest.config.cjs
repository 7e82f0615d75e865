/**
 * Two projects: `unit` (src/** and web/**: one part at a time, beside its code, on whatever that part needs, be it a real
 * database, socket or process) and `e2e` (test/**: the whole service over HTTP, its pages in a browser, the repository).
 */
const common = {
  testEnvironment: 'node',
  transform: { '\\.(?:[cm]?[jt]sx?)$': '<rootDir>/test/support/swc-transformer.cjs' },
  transformIgnorePatterns: ['\\.node$'],
  resolver: '<rootDir>/test/support/ts-resolver.cjs',
  moduleFileExtensions: ['ts', 'js', 'mjs', 'cjs', 'json', 'node'],
};
module.exports = {
  testTimeout: 150_000,
  // On Node 20 a worker keeps some 50 MB of each suite that loads the application: one that holds much is begun anew.
  workerIdleMemoryLimit: '350MB',
  projects: [
    {
      ...common,
      displayName: 'unit',
      testMatch: ['<rootDir>/src/**/*.spec.ts', '<rootDir>/web/**/*.spec.ts'],
    },
    {
      ...common,
      displayName: 'e2e',
      testMatch: ['<rootDir>/test/**/*.spec.ts'],
    },
  ],
};
