/** Two projects: `unit` (src/** and web/**, no process or socket of its own) and `e2e` (test/**, the whole application). */
const common = {
  testEnvironment: 'node',
  transform: { '\\.(?:[cm]?[jt]sx?)$': '<rootDir>/test/support/swc-transformer.cjs' },
  transformIgnorePatterns: ['\\.node$'],
  resolver: '<rootDir>/test/support/ts-resolver.cjs',
  moduleFileExtensions: ['ts', 'js', 'mjs', 'cjs', 'json', 'node'],
};
module.exports = {
  testTimeout: 150_000,
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
