/**
 * `npm run docs`: the reference pages, from the tables that the service runs on. With `--check` it
 * writes nothing and fails when a page differs. test/docs.test.ts holds the pages to this as well.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { configPage } from './config-page.ts'
import { endpointsPage } from './endpoints-page.ts'
import { errorsPage } from './errors-page.ts'
import { rulesPage } from './rules-page.ts'

export const PAGES: Readonly<Record<string, () => string>> = {
  'docs/config.md': configPage,
  'docs/endpoints.md': endpointsPage,
  'docs/errors.md': errorsPage,
  'docs/rules.md': rulesPage,
}

const fileOf = (path: string): URL => new URL(`../${path}`, import.meta.url)

export const writtenPage = (path: string): string => readFileSync(fileOf(path), 'utf8')

function check(): void {
  const stale = Object.entries(PAGES).filter(([path, build]) => build() !== writtenPage(path))
  for (const [path] of stale) console.error(`${path} differs from its table: run npm run docs`)
  if (stale.length > 0) process.exit(1)
  console.log(`${Object.keys(PAGES).length} pages are in sync with their tables`)
}

function write(): void {
  for (const [path, build] of Object.entries(PAGES)) writeFileSync(fileOf(path), build())
}

if (import.meta.main) {
  if (process.argv.includes('--check')) check()
  else write()
}
