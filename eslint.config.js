/**
 * Type-aware linting, and the bans that keep each layer to its own concerns. Style is prettier's
 * business and imports between folders are dependency-cruiser's (.dependency-cruiser.mjs).
 */
import tseslint from 'typescript-eslint'

const PURE = 'packages/{protocol,watchlist,engine}/src/**/*.ts'
const SERVER = 'packages/server/src/**/*.ts'
const TESTS = ['packages/*/test/**/*.ts', 'test/**/*.ts', 'bench/**/*.ts']

const TIME_IS_AN_ARGUMENT =
  'Pure packages do not know the time: take `now: EpochMs` as an argument. For text and calendar use packages/protocol/src/time.ts.'
const NO_CHANCE =
  'Same facts, same verdict, same bytes: chance enters through the `Ids` port (packages/server/src/adapters/system.ts).'
const NO_CLOCK =
  'Only packages/server/src/adapters/system.ts reads a clock: take `now` as an argument, or use the `Clock` port, so that tests can set the time.'
const NO_LOCALE =
  'Results of Intl depend on the locale data of the machine; a verdict must not. Use plain string functions.'
const NO_MACHINE =
  'Pure packages run anywhere and touch no machine: what you need from it arrives as an argument.'
const NO_PRINTING = 'Pure packages log nothing: their account of themselves is what they return.'
const NO_ENVIRONMENT =
  'The environment is read once, through the table in packages/server/src/config.ts: add a variable there and take the setting as an argument.'
const NO_CONSOLE =
  'The service logs through the `Log` port (one redacted JSON line a request); commands write to process.stdout.'

const globals = (...bans) => ['error', ...bans.map(([name, message]) => ({ name, message }))]

const property = (object, name, message) => ({ object, property: name, message })

const CHANCE = [
  property('Math', 'random', NO_CHANCE),
  property('crypto', 'randomUUID', NO_CHANCE),
  property('crypto', 'getRandomValues', NO_CHANCE),
]

const CLOCKS = [
  property('Date', 'now', NO_CLOCK),
  property('performance', 'now', NO_CLOCK),
  property('performance', 'timeOrigin', NO_CLOCK),
  property('process', 'hrtime', NO_CLOCK),
  property('process', 'uptime', NO_CLOCK),
]

const CLOCK_SYNTAX = [
  { selector: 'NewExpression[callee.name="Date"][arguments.length=0]', message: NO_CLOCK },
  { selector: 'CallExpression[callee.name="Date"]', message: NO_CLOCK },
]

const ENVIRONMENT = [property('process', 'env', NO_ENVIRONMENT)]

const modules = (...paths) => ['error', { paths }]
const named = (name, importNames, message) => ({ name, importNames, message })

const RANDOM_IMPORT = named(
  'node:crypto',
  ['randomInt', 'randomUUID', 'randomBytes', 'randomFillSync', 'getRandomValues', 'webcrypto'],
  NO_CHANCE,
)
const ENVIRONMENT_IMPORT = { name: 'node:process', message: NO_ENVIRONMENT }
const CLOCK_IMPORT = { name: 'node:perf_hooks', message: NO_CLOCK }

export default tseslint.config(
  { ignores: ['**/node_modules/', 'data/', 'docs/', '**/*.d.ts'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: {
      parserOptions: { project: ['./tsconfig.json'], tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      eqeqeq: 'error',
      'no-var': 'error',
      'prefer-const': 'error',
      'object-shorthand': 'error',
      'no-duplicate-imports': ['error', { allowSeparateTypeImports: true }],
      'no-eval': 'error',
      'no-param-reassign': 'error',
      'max-lines': ['error', { max: 400 }],
      'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/consistent-type-exports': 'error',
      // `type` where an interface will not do (unions, mapped types), `interface` everywhere else.
      '@typescript-eslint/consistent-type-definitions': ['error', 'interface'],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      // Numbers in a sentence read well and cannot surprise; everything else must be text already.
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      // `const { secret: _secret, ...rest } = value` is how a member is left out.
      '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true }],
      // `() => done()` in an arrow is plain; returning it from a block is not.
      '@typescript-eslint/no-confusing-void-expression': [
        'error',
        { ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true },
      ],
      // Spreading a text into its code points is what we mean by it.
      '@typescript-eslint/no-misused-spread': 'off',
      // Merging a policy removes the members that a change clears.
      '@typescript-eslint/no-dynamic-delete': 'off',
    },
  },
  {
    files: [PURE],
    rules: {
      'no-restricted-globals': globals(
        ['Date', TIME_IS_AN_ARGUMENT],
        ['performance', TIME_IS_AN_ARGUMENT],
        ['Intl', NO_LOCALE],
        ['crypto', NO_CHANCE],
        ['process', NO_MACHINE],
        ['globalThis', NO_MACHINE],
        ['console', NO_PRINTING],
      ),
      'no-restricted-properties': [
        'error',
        ...CHANCE,
        ...['toLocaleString', 'toLocaleLowerCase', 'toLocaleUpperCase', 'localeCompare'].map(
          (name) => ({ property: name, message: NO_LOCALE }),
        ),
      ],
    },
  },
  {
    // The one place of the pure packages that turns a given instant into text; it reads no clock.
    files: ['packages/protocol/src/time.ts'],
    rules: {
      'no-restricted-globals': globals(
        ['performance', TIME_IS_AN_ARGUMENT],
        ['Intl', NO_LOCALE],
        ['crypto', NO_CHANCE],
        ['process', NO_MACHINE],
        ['globalThis', NO_MACHINE],
        ['console', NO_PRINTING],
      ),
      'no-restricted-properties': ['error', ...CHANCE, ...CLOCKS],
      'no-restricted-syntax': ['error', ...CLOCK_SYNTAX],
    },
  },
  {
    files: [SERVER],
    rules: {
      'no-restricted-globals': globals(['console', NO_CONSOLE]),
      'no-restricted-properties': ['error', ...CHANCE, ...CLOCKS, ...ENVIRONMENT],
      'no-restricted-syntax': ['error', ...CLOCK_SYNTAX],
      'no-restricted-imports': modules(RANDOM_IMPORT, ENVIRONMENT_IMPORT, CLOCK_IMPORT),
    },
  },
  {
    files: ['packages/server/src/config.ts', 'packages/server/src/cli/serve.ts'],
    rules: { 'no-restricted-properties': ['error', ...CHANCE, ...CLOCKS] },
  },
  {
    files: ['packages/server/src/adapters/system.ts'],
    rules: {
      'no-restricted-properties': ['error', ...ENVIRONMENT],
      'no-restricted-syntax': 'off',
      'no-restricted-imports': modules(ENVIRONMENT_IMPORT),
    },
  },
  {
    // Chance that no verdict and no test can see: nonces and keys that must not repeat, the id that
    // names a request in the log, and the made-up email of the printed example.
    files: [
      'packages/server/src/adapters/{vault,keyring}.ts',
      'packages/server/src/http/server.ts',
      'packages/server/src/cli/greeting.ts',
    ],
    rules: { 'no-restricted-imports': modules(ENVIRONMENT_IMPORT, CLOCK_IMPORT) },
  },
  {
    // Inner loops over typed arrays whose bounds the loop itself keeps: a check per read costs
    // time in the hottest code there is, and `?? 0` would hide a wrong index.
    files: [
      'packages/watchlist/src/{names,words}/*.ts',
      'packages/watchlist/src/text/text-parts.ts',
      'tools/match-*.ts',
    ],
    rules: { '@typescript-eslint/no-non-null-assertion': 'off' },
  },
  {
    files: TESTS,
    rules: {
      'max-lines-per-function': 'off',
      // A test that is wrong about what is there fails, which is what tests are for.
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-unnecessary-condition': 'off',
      // A reader of JSON that names the shape it reads is plainer than a cast at every call.
      '@typescript-eslint/no-unnecessary-type-parameters': 'off',
      // node:test's describe and it return promises that the runner awaits by itself.
      '@typescript-eslint/no-floating-promises': [
        'error',
        {
          allowForKnownSafeCalls: [
            { from: 'package', package: 'node:test', name: ['describe', 'it', 'test', 'suite'] },
          ],
        },
      ],
    },
  },
  { files: ['**/*.{js,mjs}'], ...tseslint.configs.disableTypeChecked },
)
