/** Style as a test: what neither the compiler, the linter nor prettier can see. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ESCALATIONS, RULES } from '@portcullis/engine'
import { longLines } from './support/long-lines.ts'
import { allFiles, isSource, textOf } from './support/source-files.ts'

const FILES = allFiles()
const SOURCES = FILES.filter(isSource)
const MAX_LINES = 400

/** Each line that a pattern finds, as `path:line`. */
const linesWith = (paths: readonly string[], pattern: RegExp): string[] =>
  paths.flatMap((path) =>
    textOf(path)
      .split('\n')
      .flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1}`] : [])),
  )

const none = (found: readonly string[], what: string): void => {
  assert.ok(found.length === 0, `${what}:\n  ${found.join('\n  ')}`)
}

test('no line of code is wider than 100 columns', () => {
  const found = SOURCES.flatMap((path) =>
    longLines(path, textOf(path)).map((line) => `${path}:${line}`),
  )
  none(found, 'break these lines')
})

test('no source file is longer than 400 lines', () => {
  const found = SOURCES.filter((path) => textOf(path).trimEnd().split('\n').length > MAX_LINES)
  none(found, 'a file this long holds more than one idea: split it')
})

test('nothing is left to be done later without being said in an issue', () => {
  none(linesWith(SOURCES, /\b(?:TO[D]O|FIXM[E]|XX[X])\b/), 'do it, or open an issue')
})

test('no test is run alone', () => {
  const tests = SOURCES.filter((path) => path.endsWith('.test.ts'))
  none(linesWith(tests, /\b(?:test|it|describe|suite)\.only\(/), 'the others would be left out')
})

test('no file names a folder of one machine', () => {
  const machinePath = /(?:^|[\s"'`(=:])\/(?:work|root|home|Users|tmp)\/\w/
  none(linesWith(FILES, machinePath), 'use a path relative to the project, or os.tmpdir()')
})

test('no file names a package registry: npm ci uses the one that the machine is set to', () => {
  const registry = /registry\.(?:npmjs|yarnpkg)\.|npm\.pkg\.|"resolved": "https?:/
  none(linesWith(FILES, registry), 'npm install with the .npmrc of this project writes none')
})

const POLICY = [...RULES, ...ESCALATIONS]
const EVALUATED = POLICY.filter(({ predicate }) => predicate !== undefined)

test('every rule stands in docs/rules.md', () => {
  const page = textOf('docs/rules.md')
  const missing = POLICY.map(({ id }) => id).filter((id) => !page.includes(`| \`${id}\` |`))
  none(missing, 'run npm run docs')
})

interface RuleVectors {
  readonly rules: readonly {
    readonly rule: string
    readonly fires: readonly unknown[]
    readonly holds: readonly unknown[]
  }[]
}

const VECTORS = ['conformance/rules.json', 'conformance/escalations.json'].flatMap(
  (path) => (JSON.parse(textOf(path)) as RuleVectors).rules,
)

test('every rule that is evaluated has facts that fire it and facts that do not', () => {
  const complete = VECTORS.filter(({ fires, holds }) => fires.length > 0 && holds.length > 0)
  const covered = new Set(complete.map(({ rule }) => rule))
  const missing = EVALUATED.map(({ id }) => id).filter((id) => !covered.has(id))
  none(missing, 'add vectors to conformance/rules.json or conformance/escalations.json')
})

test('every vector names a rule that is evaluated', () => {
  const known = new Set(EVALUATED.map(({ id }) => id))
  const strange = VECTORS.map(({ rule }) => rule).filter((id) => !known.has(id))
  none(strange, 'no such rule')
})
