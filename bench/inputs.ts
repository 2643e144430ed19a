/** What the benchmark feeds on: the shared lists and names when they are there, else stand-ins. */
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const shared = (path: string): string | undefined => {
  const file = fileURLToPath(new URL(`../../shared/data/${path}`, import.meta.url))
  return existsSync(file) ? file : undefined
}

/** Folder of published lists; undefined means the embedded fallback. */
export const listsFolder = (): string | undefined => shared('lists/current')

export interface Names {
  readonly people: readonly string[]
  readonly companies: readonly string[]
  readonly source: string
}

/** Names of nobody in particular. */
export function cleanNames(): Names {
  const people = shared('names/clean-people.jsonl')
  const companies = shared('names/clean-companies.txt')
  if (people === undefined || companies === undefined) return madeUpNames()
  return {
    people: linesOf(people).map((line) => (JSON.parse(line) as { query: string }).query),
    companies: linesOf(companies),
    source: 'the shared development set',
  }
}

const linesOf = (file: string): string[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')

const GIVEN = 'Ada Bruno Carla Dmitri Elena Farid Greta Hiro Ines Jonas Katya Luis Mina Noor Olga'
const FAMILY = 'Abbott Bianchi Castro Duarte Eriksen Fischer Garcia Haddad Ivanova Jansen Kowalski'
const TRADE = 'Logistics Textiles Foods Shipping Optics Timber Media Robotics Ceramics Software'

function madeUpNames(): Names {
  const every = (first: string, second: string, join: (a: string, b: string) => string) =>
    first.split(' ').flatMap((a) => second.split(' ').map((b) => join(a, b)))
  return {
    people: every(GIVEN, FAMILY, (given, family) => `${given} ${family}`),
    companies: every(FAMILY, TRADE, (family, trade) => `${family} ${trade} Ltd`),
    source: 'made up',
  }
}
