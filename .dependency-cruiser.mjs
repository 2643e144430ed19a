/**
 * The layering: who may import whom. Each rule carries the sentence that a developer reads when it
 * breaks. Run with `npm run layers`.
 */
const PURE = '^packages/(protocol|watchlist|engine)/src/'
const SRC = '^packages/[^/]+/src/'
const SERVER = '^packages/server/src/'
const ANY_PACKAGE = '^packages/(protocol|watchlist|engine|server)/'
const EDGES = `${SERVER}(http|store|adapters|cli)/`

/** How a module looks once resolved: a package of npm, wherever npm has put it. */
const npm = (name) => `(^|/)node_modules/${name}/`

export default {
  forbidden: [
    {
      name: 'no-cycles',
      comment:
        'Two files that need each other are one file, or lack a third that both can import: move what they share there.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-orphans',
      comment: 'Nobody imports this file and it imports nobody: it is dead. Delete it or use it.',
      severity: 'error',
      from: { orphan: true, path: SRC },
      to: {},
    },
    {
      name: 'everything-is-reached',
      comment:
        'No entry point (the index.ts of a package, the command line) leads to this file: it is dead. Delete it or use it.',
      severity: 'error',
      from: { path: '^packages/[^/]+/src/(index|cli/main)\\.ts$' },
      to: { path: SRC, pathNot: 'src/cli/main\\.ts$', reachable: false },
    },
    {
      name: 'imports-resolve',
      comment: 'This import leads nowhere: the file or the package is not there.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'protocol-stands-alone',
      comment:
        'The wire contract is what every other package agrees on, so it can know none of them: pass the value in, or move the idea down into protocol.',
      severity: 'error',
      from: { path: '^packages/protocol/src/' },
      to: { path: ANY_PACKAGE, pathNot: '^packages/protocol/' },
    },
    {
      name: 'watchlist-knows-protocol-only',
      comment:
        'Who is listed does not depend on how we decide or serve: watchlist imports protocol and nothing else of ours.',
      severity: 'error',
      from: { path: '^packages/watchlist/src/' },
      to: { path: ANY_PACKAGE, pathNot: '^packages/(protocol|watchlist)/' },
    },
    {
      name: 'engine-knows-protocol-only',
      comment:
        'To the engine a match is a fact: it never looks anything up. Let app/ ask the watchlist and hand the result in as Facts.',
      severity: 'error',
      from: { path: '^packages/engine/src/' },
      to: { path: ANY_PACKAGE, pathNot: '^packages/(protocol|engine)/' },
    },
    {
      name: 'pure-packages-need-no-machine',
      comment:
        'protocol, watchlist and engine run in a browser, a worker or a test with no machine around them: no node:* modules. Take bytes and times as arguments.',
      severity: 'error',
      from: { path: PURE },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'rules-see-only-facts',
      comment:
        'A rule is a function of the facts: it sees facts.ts, history.ts, thresholds.ts, rule.ts, its neighbours and protocol. If it needs more, put it into Facts.',
      severity: 'error',
      from: { path: '^packages/engine/src/rules/' },
      to: {
        pathNot:
          '^packages/(engine/src/(rules/.+|facts|history|thresholds|rule)\\.ts$|protocol/src/index\\.ts$)',
      },
    },
    {
      name: 'front-doors-only',
      comment:
        'What a package offers stands in its index.ts: import it by name (@portcullis/...) and not by a path into its insides.',
      severity: 'error',
      from: { path: '^packages/([^/]+)/src/' },
      to: { path: SRC, pathNot: ['^packages/$1/src/', '^packages/[^/]+/src/index\\.ts$'] },
    },
    {
      name: 'app-knows-no-technology',
      comment:
        'Use cases read like the specification: no node:*, no npm package, no edge. State what you need as a port in app/ports.ts and let an edge fulfil it.',
      severity: 'error',
      from: { path: `${SERVER}app/` },
      to: { pathNot: [`${SERVER}app/`, `${PURE}index\\.ts$`] },
    },
    {
      name: 'edges-do-not-meet',
      comment:
        'HTTP, store, adapters and commands do not know each other: what they share is a port in app/ports.ts, and main.ts puts them together. Only a command may reach an adapter.',
      severity: 'error',
      from: { path: `${SERVER}(http|store|adapters)/` },
      to: { path: EDGES, pathNot: `${SERVER}$1/` },
    },
    {
      name: 'commands-stay-out-of-http-and-store',
      comment:
        'A command works through main.ts, app/ and adapters/; the server and the store are reached through the service that main.ts starts.',
      severity: 'error',
      from: { path: `${SERVER}cli/` },
      to: { path: `${SERVER}(http|store)/` },
    },
    {
      name: 'edges-see-only-app',
      comment:
        'HTTP, store and adapters get their settings as arguments: of our server they import app/ and their own folder, never config.ts.',
      severity: 'error',
      from: { path: `${SERVER}(http|store|adapters)/` },
      to: { path: SERVER, pathNot: EDGES.replace('(', '(app|') },
    },
    {
      name: 'config-stands-alone',
      comment:
        'The configuration table is read before anything else exists: it imports protocol only.',
      severity: 'error',
      from: { path: `${SERVER}config\\.ts$` },
      to: { pathNot: '^packages/protocol/src/index\\.ts$' },
    },
    {
      name: 'only-http-knows-fastify',
      comment:
        'The web framework is a detail of http/: a use case takes and gives plain values, so that the framework can be changed in one folder.',
      severity: 'error',
      from: { path: SRC, pathNot: `${SERVER}http/` },
      to: { path: npm('(fastify|@fastify/[^/]+)') },
    },
    {
      name: 'only-store-knows-sql',
      comment:
        'SQL, kysely and node:sqlite stay in store/: everybody else speaks to the Store port of app/ports.ts.',
      severity: 'error',
      from: { path: SRC, pathNot: `${SERVER}store/` },
      to: { path: [npm('kysely'), '^(node:)?sqlite$'] },
    },
    {
      name: 'nothing-imports-main',
      comment:
        'main.ts puts the parts together, so no part may know it; only a command starts the service.',
      severity: 'error',
      from: { path: SRC, pathNot: `${SERVER}cli/` },
      to: { path: `${SERVER}main\\.ts$` },
    },
    {
      name: 'sources-never-import-tests',
      comment: 'What runs in production must not lean on a test, a benchmark or a tool.',
      severity: 'error',
      from: { path: SRC },
      to: { path: '^(packages/[^/]+/test|test|bench|tools)/' },
    },
    {
      name: 'dependencies-are-declared',
      comment:
        'A production install brings what the `dependencies` of a workspace name and nothing else, so this import fails there: it is a devDependency, or somebody else’s. Add it to the package.json of the workspace that imports it, or do without.',
      severity: 'error',
      from: { path: SRC },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'] },
    },
  ],
  options: {
    // `import type` is a dependency like any other: knowing a shape is knowing.
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      mainFields: ['module', 'main', 'types', 'typings'],
    },
  },
}
