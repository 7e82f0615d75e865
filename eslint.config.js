import tseslint from 'typescript-eslint';

export default tseslint.config(
  // Code of the sample flow's nodes is the body of a function, in parts.
  { ignores: ['dist/', 'node_modules/', 'data/', 'demo-output/', 'coverage/', 'samples/'] },
  {
    files: ['src/**/*.ts', 'test/**/*.ts', 'web/**/*.ts', 'web/**/*.tsx'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/consistent-type-imports': [
        'error',
        { fixStyle: 'inline-type-imports', disallowTypeAnnotations: false },
      ],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/require-await': 'off',
      'no-restricted-globals': [
        'error',
        { name: 'fetch', message: 'Use common/outbound/outbound-http: the only way out.' },
      ],
      'no-eval': 'error',
      'no-new-func': 'error',
    },
  },
  {
    files: ['web/**/*.ts', 'web/**/*.tsx'],
    rules: { 'no-restricted-globals': 'off' },
  },
  {
    files: ['test/**/*.ts', 'src/**/*.spec.ts', 'web/**/*.spec.ts'],
    rules: {
      'no-restricted-globals': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
    },
  },
);
