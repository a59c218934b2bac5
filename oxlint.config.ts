import { defineConfig } from 'oxlint'

/** What a package may not import; scripts/walls.ts holds what a pattern cannot say: order of modules, cycles, length. */
const never = (names: string[], why: string) => ({
  // Whole packages, whatever is imported of them. Patterns with stars do not reach into folders.
  'no-restricted-imports': ['error', { patterns: [{ regex: `^(${names.join('|')})(/|$)`, message: why }] }] as never,
})
const browser = ['@purlin/server', '@purlin/demo', '@purlin/services', 'pg', 'fastify', 'graphql-jit', 'pino']

/** Rules for accessible markup that the category "correctness" of the plugin leaves out, and those that do not suit us. */
const accessibility = {
  'jsx-a11y/control-has-associated-label': 'error',
  'jsx-a11y/interactive-supports-focus': 'error',
  'jsx-a11y/no-interactive-element-to-noninteractive-role': 'error',
  'jsx-a11y/no-noninteractive-element-interactions': 'error',
  'jsx-a11y/no-noninteractive-element-to-interactive-role': 'error',
  // A row that scrolls needs the focus, so that the keyboard can scroll it (axe: scrollable-region-focusable).
  'jsx-a11y/no-noninteractive-tabindex': 'off',
  // <output> is no better supported than role="status", <meter> cannot be styled.
  'jsx-a11y/prefer-tag-over-role': 'off',
  // The one use leads to the field that was refused, where WCAG wants the focus; journeys test it.
  'jsx-a11y/no-autofocus': 'off',
} as const
const testCalls = ['test', 'describe', 'it', 'suite', 'before', 'after', 'beforeEach', 'afterEach']

export default defineConfig({
  plugins: ['typescript', 'import', 'unicorn', 'oxc', 'react', 'jsx-a11y'],
  categories: { correctness: 'error', suspicious: 'error' },
  rules: {
    ...accessibility,
    // Type-aware, by oxlint-tsgolint: `npm run verify` and `npm run lint` pass --type-aware.
    'typescript/no-floating-promises': ['error', { allowForKnownSafeCalls: [{ from: 'package', package: 'node:test', name: testCalls }] }],
    'typescript/no-misused-promises': ['error', { checksVoidReturn: false }],
    'typescript/await-thenable': 'error',
    'typescript/no-for-in-array': 'error',
    // Strict about style where our own rules are others: rows of Postgres and answers of the API are typed where they arrive.
    'typescript/no-unsafe-type-assertion': 'off',
    'typescript/no-unsafe-enum-comparison': 'off',
    'typescript/no-base-to-string': 'off',
    'typescript/restrict-template-expressions': 'off',
    'typescript/unbound-method': 'off',
    'typescript/no-unnecessary-type-parameters': 'off',
    'typescript/no-unnecessary-type-conversion': 'off',
    'typescript/no-unnecessary-type-arguments': 'off',
    'typescript/no-generated-empty-object-type': 'off',
    'typescript/no-misused-spread': 'off',
    'typescript/consistent-return': 'off',
    'typescript/require-array-sort-compare': 'off',
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
    'react/no-unstable-nested-components': ['error', { allowAsProps: true }],
    // The frame of the payment provider leads to the bank's own pages, which need what a sandbox would take from them.
    'react/iframe-missing-sandbox': 'off',
    'eslint/no-underscore-dangle': 'off',
    'eslint/no-unmodified-loop-condition': 'off',
  },
  overrides: [
    {
      files: ['contract/**/*.ts'],
      rules: { 'no-restricted-imports': ['error', { patterns: [{ regex: '^[^.]', message: 'The contract imports nothing.' }] }] as never },
    },
    {
      files: ['search/src/**/*.ts'],
      rules: {
        ...never(['@purlin', 'react', ...browser], 'The search engine knows no business.'),
        // A longer one says why beside it: // oxlint-disable-next-line max-lines-per-function -- reason
        'eslint/max-lines-per-function': ['error', { max: 60 }],
      },
    },
    {
      files: ['web/src/**/*.{ts,tsx}'],
      rules: never(
        [
          '@purlin/server',
          '@purlin/storefront',
          '@purlin/ui',
          '@purlin/search',
          '@purlin/demo',
          // All but translate.ts; the linter's expressions know no look-ahead.
          '@purlin/words/([a-su-z]|generated).*',
          'pg',
          'graphql-jit',
        ],
        'The page layer knows no business.',
      ),
    },
    {
      files: ['words/src/**/*.ts'],
      rules: never(
        [...browser, '@purlin/storefront', '@purlin/ui', '@purlin/web', '@purlin/search', 'react'],
        'Words know the contract alone.',
      ),
    },
    {
      files: ['ui/src/**/*.{ts,tsx}'],
      rules: never([...browser, '@purlin/storefront', '@purlin/search', '@purlin/words'], 'The design system knows the contract alone.'),
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
    { files: ['{server,web,storefront,contract}/src/**/*.{ts,tsx}'], rules: { 'typescript/no-non-null-assertion': 'error' } },
    { files: ['{server,web,storefront,contract}/src/**/*.test.{ts,tsx}'], rules: { 'typescript/no-non-null-assertion': 'off' } },
    // Scripts of every page, whose bytes are counted: the markup they belong to holds the elements they ask for.
    {
      files: [
        'storefront/src/**/*.enhance.ts',
        'storefront/src/search/{combobox,suggestion-list}.ts',
        'storefront/src/shell/fill-menu.ts',
        'storefront/src/listing/show-all.ts',
        'storefront/src/product/full-screen.ts',
        'storefront/src/consent/ask-consent.ts',
      ],
      rules: { 'typescript/no-non-null-assertion': 'off' },
    },
    // Tests may reach for what they need to arrange their case.
    { files: ['**/*.test.{ts,tsx}', 'server/src/**/{testing,test-*}.ts'], rules: { 'no-restricted-imports': 'off' } },
  ],
  ignorePatterns: ['**/dist/**', '**/generated/**', 'e2e/pictures/**'],
})
