import { defineConfig } from 'oxlint'

/** What a package may not import; scripts/walls.ts holds what a pattern cannot say: order of modules, cycles, length. */
const never = (names: string[], why: string) => ({
  // Whole packages, whatever is imported of them. Patterns with stars do not reach into folders.
  'no-restricted-imports': ['error', { patterns: [{ regex: `^(${names.join('|')})(/|$)`, message: why }] }] as never,
})
const browser = ['@purlin/server', '@purlin/demo', '@purlin/services', 'pg', 'fastify', 'graphql-jit', 'pino']

export default defineConfig({
  plugins: ['typescript', 'import', 'unicorn', 'oxc', 'react'],
  categories: { correctness: 'error', suspicious: 'warn' },
  rules: {
    'import/no-cycle': 'error',
    'typescript/no-explicit-any': 'error',
    'typescript/ban-ts-comment': 'error',
    'typescript/consistent-type-imports': 'off',
    'eslint/no-await-in-loop': 'off',
    'eslint/no-shadow': 'off',
    // tsc says it, and knows the underscore.
    'eslint/no-unused-vars': 'off',
    'unicorn/no-thenable': 'off',
    'unicorn/no-new-array': 'off',
    'unicorn/no-array-sort': 'off',
    'unicorn/no-array-reverse': 'off',
    'eslint/no-loss-of-precision': 'off',
    'unicorn/consistent-function-scoping': 'off',
    'unicorn/no-array-for-each': 'off',
    'unicorn/prefer-add-event-listener': 'off',
    'unicorn/require-post-message-target-origin': 'off',
    'import/no-unassigned-import': 'off',
    'import/no-named-as-default-member': 'off',
    'import/no-named-as-default': 'off',
    'react/react-in-jsx-scope': 'off',
    'eslint/no-underscore-dangle': 'off',
    'eslint/no-unmodified-loop-condition': 'off',
  },
  overrides: [
    {
      files: ['contract/**/*.ts'],
      rules: { 'no-restricted-imports': ['error', { patterns: [{ regex: '^[^.]', message: 'The contract imports nothing.' }] }] as never },
    },
    { files: ['search/src/**/*.ts'], rules: never(['@purlin', 'react', ...browser], 'The search engine knows no business.') },
    {
      files: ['web/src/**/*.{ts,tsx}'],
      rules: never(
        ['@purlin/server', '@purlin/storefront', '@purlin/ui', '@purlin/search', '@purlin/demo', 'pg', 'graphql-jit'],
        'The page layer knows no business.',
      ),
    },
    {
      files: ['ui/src/**/*.{ts,tsx}'],
      rules: never([...browser, '@purlin/storefront', '@purlin/search'], 'The design system knows the contract alone.'),
    },
    {
      files: ['storefront/src/**/*.{ts,tsx}'],
      rules: never([...browser, '@purlin/search'], 'Pages reach the server by the contract alone.'),
    },
    {
      files: ['server/src/**/*.ts'],
      rules: never(
        ['@purlin/storefront', '@purlin/ui', '@purlin/web', '@purlin/demo', '@purlin/services', 'react', 'react-dom'],
        'The server knows no pages.',
      ),
    },
    // Tests may reach for what they need to arrange their case.
    { files: ['**/*.test.{ts,tsx}'], rules: { 'no-restricted-imports': 'off' } },
  ],
  ignorePatterns: ['**/dist/**', '**/generated/**', 'e2e/pictures/**'],
})
