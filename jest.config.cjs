/**
 * Two projects for the hand: `unit` (src/** and web/**: one part at a time, beside its code, on whatever that part needs,
 * be it a real database, socket or process) and `e2e` (test/**: the whole service over HTTP, its pages in a browser, the
 * repository). The test command runs the same suites in `lanes`: files it writes, each of which runs many suites in
 * one module registry, since loading the application costs more than most of their tests.
 */
const { readFileSync } = require('node:fs');
const { join } = require('node:path');

/** Returns the folders of the installed packages that consist of ES modules, such as `node_modules/uuid`. */
function esmPackages() {
  const { packages } = JSON.parse(readFileSync(join(__dirname, 'package-lock.json'), 'utf8'));
  return Object.keys(packages).filter((folder) => {
    try {
      const manifest = readFileSync(join(__dirname, folder, 'package.json'), 'utf8');
      return folder !== '' && JSON.parse(manifest).type === 'module';
    } catch {
      // It is for another platform.
      return false;
    }
  });
}

/** CommonJS files of packages: jest would store a copy of each in its cache, and read that. */
const COMMON_JS = `^(?!.*/(?:${esmPackages().join('|')})/(?!.*/node_modules/)).*/node_modules/.*(?<!\\.mjs)$`;

const common = {
  testEnvironment: '<rootDir>/test/support/tidy-environment.cjs',
  transform: { '\\.(?:[cm]?[jt]sx?)$': '<rootDir>/test/support/swc-transformer.cjs' },
  transformIgnorePatterns: ['\\.node$', COMMON_JS],
  resolver: '<rootDir>/test/support/ts-resolver.cjs',
  moduleFileExtensions: ['ts', 'js', 'mjs', 'cjs', 'json', 'node'],
  globalSetup: '<rootDir>/test/support/global-setup.cjs',
  globalTeardown: '<rootDir>/test/support/global-teardown.cjs',
};
module.exports = {
  testTimeout: 150_000,
  // On Node 20 a worker holds some 50 MB of each file that loads the application: one that holds much is replaced.
  workerIdleMemoryLimit: '350MB',
  collectCoverageFrom: ['src/**/*.ts', '!src/**/*.spec.ts'],
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
    {
      ...common,
      displayName: 'lanes',
      testMatch: ['<rootDir>/.cache/lanes/*.spec.cjs'],
    },
  ],
};
